/** Stores what the agent did for each copy: one Secret for each copy and primary. */
package dev.mooring.syncagent.related.record;
