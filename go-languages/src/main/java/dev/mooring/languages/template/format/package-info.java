/** Values as text: Go's fmt verbs. */
package dev.mooring.languages.template.format;
