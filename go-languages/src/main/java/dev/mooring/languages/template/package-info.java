/**
 * Templates as Go's text/template has them, with the functions of sprig that give the same result
 * every time. The reference is Go 1.26 and sprig 3.3.
 */
package dev.mooring.languages.template;
