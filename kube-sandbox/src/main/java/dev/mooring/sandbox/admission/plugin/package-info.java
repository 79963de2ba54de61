/** Built-in admission plugins. */
package dev.mooring.sandbox.admission.plugin;
