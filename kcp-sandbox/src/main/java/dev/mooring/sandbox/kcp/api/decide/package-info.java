/** Conversions between versions of kcp's types. */
package dev.mooring.sandbox.kcp.api.decide;
