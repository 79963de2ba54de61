/** Gathers, plans and executes one write for the related objects of one primary. */
package dev.mooring.syncagent.related.sync;
