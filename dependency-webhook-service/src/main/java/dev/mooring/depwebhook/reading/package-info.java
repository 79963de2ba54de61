/** Reads that several reviews share, and reads that are tried again. */
package dev.mooring.depwebhook.reading;
