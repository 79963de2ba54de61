/**
 * A plain Kubernetes API server as a whole: {@link dev.mooring.sandbox.kube.KubeServer} puts its
 * parts together, and {@link dev.mooring.sandbox.kube.KubeSandbox} runs it in this JVM.
 */
package dev.mooring.sandbox.kube;
