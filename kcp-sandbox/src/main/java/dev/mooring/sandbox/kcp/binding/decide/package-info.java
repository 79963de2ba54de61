/** The next write for an APIBinding. */
package dev.mooring.sandbox.kcp.binding.decide;
