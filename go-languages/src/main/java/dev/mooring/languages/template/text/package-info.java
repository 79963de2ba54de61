/** Characters, bytes, quotes and escapes as Go has them. */
package dev.mooring.languages.template.text;
