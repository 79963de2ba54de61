/**
 * Read-only pages at a service's management port. A service's {@link Console} says what they show,
 * by the public values: statements, facts, tables and searches. How they are served, and to whom,
 * no other module can see. The templates are in {@code src/main/jte}.
 */
package dev.mooring.console;
