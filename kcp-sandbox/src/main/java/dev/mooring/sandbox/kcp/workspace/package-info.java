/** Workspaces, their types and logical clusters, from creation to deletion. */
package dev.mooring.sandbox.kcp.workspace;
