/** The front proxy: sends requests to the shard that has the logical cluster. */
package dev.mooring.sandbox.kcp.frontproxy;
