/** Traces of the services' work; without tracing they cost nothing. */
package dev.mooring.runtime.trace;
