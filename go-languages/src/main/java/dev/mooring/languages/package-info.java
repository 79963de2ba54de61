/**
 * The small languages that people write into PublishedResources: gjson paths, RE2 patterns, CEL.
 * Each is compiled once into an immutable, thread-safe value that works on frozen trees in bounded
 * time; the libraries behind them show in no signature.
 */
package dev.mooring.languages;
