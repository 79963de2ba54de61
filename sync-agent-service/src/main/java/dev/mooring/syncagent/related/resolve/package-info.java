/** Finds which objects an entry names, and which primaries to requeue when one changes. */
package dev.mooring.syncagent.related.resolve;
