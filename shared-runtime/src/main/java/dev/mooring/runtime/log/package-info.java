/** The structured fields of log lines. */
package dev.mooring.runtime.log;
