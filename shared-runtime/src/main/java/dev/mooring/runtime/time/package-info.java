/** Clocks, schedulers, delays and random names, as parameters. */
package dev.mooring.runtime.time;
