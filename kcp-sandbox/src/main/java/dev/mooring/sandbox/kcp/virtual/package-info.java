/**
 * Virtual workspaces: of APIExports, of initializers and terminators, of schemas, of cached
 * objects.
 */
package dev.mooring.sandbox.kcp.virtual;
