/** Resolves entries to originals and copies, and plans the next write for each. Pure. */
package dev.mooring.syncagent.related.decide;
