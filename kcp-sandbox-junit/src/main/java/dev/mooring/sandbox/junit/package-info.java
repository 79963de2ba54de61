/**
 * {@link dev.mooring.sandbox.junit.WithKcp}: tests of JUnit against a kcp, each with a workspace
 * tree of its own.
 */
package dev.mooring.sandbox.junit;
