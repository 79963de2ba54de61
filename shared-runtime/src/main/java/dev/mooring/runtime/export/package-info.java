/** What an APIExport's virtual workspace shows, across workspaces and shards. */
package dev.mooring.runtime.export;
