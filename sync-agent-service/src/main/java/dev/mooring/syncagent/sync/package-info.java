/** Syncs one published type's objects: snapshot, plan, one write, observe again. */
package dev.mooring.syncagent.sync;
