/** Permission claims as values. */
package dev.mooring.sandbox.kcp.claim.decide;
