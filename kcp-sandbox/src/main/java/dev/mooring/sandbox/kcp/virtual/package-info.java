/** The virtual workspaces of APIExports. */
package dev.mooring.sandbox.kcp.virtual;
