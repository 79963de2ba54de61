/** kcp's own API types: their schemas and the conversion between their versions. */
package dev.mooring.sandbox.kcp.api;
