/** Reads which objects the consumer shows. */
package dev.mooring.syncagent.related.share;
