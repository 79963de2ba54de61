/** Configuration, and the wiring of everything else. */
package dev.mooring.syncagent.config;
