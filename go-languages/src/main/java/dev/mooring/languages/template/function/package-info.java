/** The functions that a template may call: those of text/template and of sprig. */
package dev.mooring.languages.template.function;
