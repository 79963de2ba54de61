/** Brings PublishedResources into the APIExport's workspace and says in their status how far. */
package dev.mooring.syncagent.publish;
