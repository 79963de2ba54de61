/** Informers: lists and watches of one type, and the caches they keep in step. */
package dev.mooring.runtime.watch;
