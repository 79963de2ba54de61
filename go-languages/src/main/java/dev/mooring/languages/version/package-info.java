/** Semantic versions and their constraints. */
package dev.mooring.languages.version;
