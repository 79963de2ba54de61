/** Caches of the service cluster and of all workspaces that bind the APIExport. */
package dev.mooring.syncagent.clusters;
