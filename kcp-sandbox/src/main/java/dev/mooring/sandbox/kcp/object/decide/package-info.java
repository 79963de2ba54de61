/** Names, conditions and references that all kinds of kcp objects share. */
package dev.mooring.sandbox.kcp.object.decide;
