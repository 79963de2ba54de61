/** kcp's own objects as its controllers store them: resources, names, hashes, reads and writes. */
package dev.mooring.sandbox.kcp.object;
