/** Template text to tokens to a tree. */
package dev.mooring.languages.template.syntax;
