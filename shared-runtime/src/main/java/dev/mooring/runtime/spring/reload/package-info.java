/**
 * Changes of the configuration while a service runs: what is {@link
 * dev.mooring.runtime.spring.reload.Live} takes effect, all else is named in the log and in health.
 */
package dev.mooring.runtime.spring.reload;
