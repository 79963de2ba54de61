/** Strategies of built-in resources. */
package dev.mooring.sandbox.builtin.core;
