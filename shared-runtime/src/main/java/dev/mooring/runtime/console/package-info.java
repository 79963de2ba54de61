/**
 * What the services' consoles show, as values: pages of statements, tables and searches. Servlets
 * and templates are in package {@code spring} and in {@code src/main/jte}.
 */
package dev.mooring.runtime.console;
