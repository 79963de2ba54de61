/** The next write for a Workspace or LogicalCluster; references to workspaces and types. */
package dev.mooring.sandbox.kcp.workspace.decide;
