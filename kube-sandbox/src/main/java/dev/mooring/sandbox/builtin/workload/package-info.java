/** How the resources that only plain Kubernetes serves are defaulted, checked and converted. */
package dev.mooring.sandbox.builtin.workload;
