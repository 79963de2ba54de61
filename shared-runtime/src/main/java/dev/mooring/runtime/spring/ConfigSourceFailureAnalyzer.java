package dev.mooring.runtime.spring;

import io.fabric8.kubernetes.client.KubernetesClientException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Has Spring print which ConfigMap or Secret was not read at start, in place of a stack trace.
 * Spring Cloud Kubernetes alone uses fabric8's client in the services.
 */
final class ConfigSourceFailureAnalyzer extends AbstractFailureAnalyzer<KubernetesClientException> {
  @Override
  protected FailureAnalysis analyze(Throwable root, KubernetesClientException cause) {
    return new FailureAnalysis(
        "The configuration was not read from the API server: " + cause.getMessage(),
        "Check that the API server is reachable, and that the service may get this object. The"
            + " chart's Role <name>-config permits it; docs/how-to/configure.md.",
        cause);
  }
}
