/** Regular expressions as RE2 and Go's regexp read them. */
package dev.mooring.languages.regex;
