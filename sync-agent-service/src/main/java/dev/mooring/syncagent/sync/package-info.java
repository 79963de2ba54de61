/** Keeps one published type's objects in step: snapshot, plan, one write, look again. */
package dev.mooring.syncagent.sync;
