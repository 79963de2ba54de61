/** Paths of gjson and sjson: read, change and delete parts of a document. */
package dev.mooring.languages.gjson;
