/** Reviews of tokens and permissions, for Mooring's own endpoints and for its own rights. */
package dev.mooring.runtime.access;
