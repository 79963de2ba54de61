/** Records, and the objects that they name. Pure. */
package dev.mooring.syncagent.related.record.decide;
