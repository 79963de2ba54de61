/** CachedResources: copies of their objects at the cache server, and the resources made of them. */
package dev.mooring.sandbox.kcp.cached;
