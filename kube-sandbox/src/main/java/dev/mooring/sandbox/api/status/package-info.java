/** Failures as the {@code metav1.Status} that clients get. */
package dev.mooring.sandbox.api.status;
