/** Events on objects, counted and written in the background. */
package dev.mooring.runtime.event;
