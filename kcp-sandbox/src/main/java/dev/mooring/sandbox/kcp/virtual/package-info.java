/** Virtual workspaces: of APIExports, of initializers and terminators and of schemas. */
package dev.mooring.sandbox.kcp.virtual;
