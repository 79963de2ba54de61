/** APIExports: identity, schemas and endpoint slices. */
package dev.mooring.sandbox.kcp.export;
