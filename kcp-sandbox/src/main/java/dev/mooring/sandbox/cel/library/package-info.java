/**
 * The functions that Kubernetes adds to the Common Expression Language, with the texts of its
 * errors (apiserver {@code pkg/cel/library}).
 */
package dev.mooring.sandbox.cel.library;
