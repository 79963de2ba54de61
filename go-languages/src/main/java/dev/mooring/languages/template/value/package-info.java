/** Values of a running template, and their members. */
package dev.mooring.languages.template.value;
