/**
 * The functions that Kubernetes adds to the Common Expression Language (apiserver {@code
 * pkg/cel/library}).
 */
package dev.mooring.sandbox.cel.library;
