/** The objects of the workspace {@code root}. */
package dev.mooring.sandbox.kcp.bootstrap;
