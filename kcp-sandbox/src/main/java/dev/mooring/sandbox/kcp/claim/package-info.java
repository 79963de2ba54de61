/** Permission claims: what they select, and the labels that show claimed objects to an export. */
package dev.mooring.sandbox.kcp.claim;
