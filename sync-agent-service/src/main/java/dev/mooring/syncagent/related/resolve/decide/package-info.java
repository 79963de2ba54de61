/** Resolves an entry to originals and copies. Pure. */
package dev.mooring.syncagent.related.resolve.decide;
