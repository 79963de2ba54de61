/** Plans the next write for each copy. Pure. */
package dev.mooring.syncagent.related.sync.decide;
