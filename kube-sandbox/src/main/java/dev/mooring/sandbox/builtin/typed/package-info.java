/** Decoding of resources whose schema is a Go struct. */
package dev.mooring.sandbox.builtin.typed;
