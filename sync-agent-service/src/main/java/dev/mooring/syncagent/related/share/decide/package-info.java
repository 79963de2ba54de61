/** Decides whether an object is needed by others, and what is visible. Pure. */
package dev.mooring.syncagent.related.share.decide;
