/** What is written for CachedResources. */
package dev.mooring.sandbox.kcp.cached.decide;
