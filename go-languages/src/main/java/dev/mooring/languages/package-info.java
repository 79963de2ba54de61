/**
 * The small languages that people write into PublishedResources and DependencyRules, a package
 * each. An expression is compiled once into an immutable, thread-safe value that works on plain
 * maps and lists in bounded time.
 */
package dev.mooring.languages;
