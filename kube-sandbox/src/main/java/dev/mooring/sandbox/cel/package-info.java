/** The Common Expression Language with the functions that Kubernetes adds to it. */
package dev.mooring.sandbox.cel;
