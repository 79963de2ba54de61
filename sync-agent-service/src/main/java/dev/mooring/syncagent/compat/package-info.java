/** The Go agent's command line, understood as the properties that it stands for. */
package dev.mooring.syncagent.compat;
