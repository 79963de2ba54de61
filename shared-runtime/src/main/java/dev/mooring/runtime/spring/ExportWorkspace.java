package dev.mooring.runtime.spring;

import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.SystemTime;
import java.nio.file.Path;
import java.time.Duration;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;

/** The workspace of the APIExport that a service reads and writes for. */
public final class ExportWorkspace {
  private ExportWorkspace() {}

  /**
   * @param service such as {@code dependency-webhook}; its properties begin with {@code mooring.}
   *     and this name
   * @param kubeconfig file whose current context points at the workspace; empty: the credentials of
   *     the pod
   * @param apiExport name of the APIExport, for the message of a refusal
   * @throws InvalidConfigurationPropertyValueException if the kubeconfig cannot be used, or points
   *     at no workspace
   */
  public static KubeConnection connect(
      String service, String kubeconfig, Duration requestTimeout, String apiExport) {
    var options = ConnectionOptions.of(service).withRequestTimeout(requestTimeout);
    try {
      return (kubeconfig.isEmpty()
              ? KubeConnection.inCluster(options)
              : KubeConnection.fromKubeconfig(Path.of(kubeconfig), options))
          .toWorkspace()
          .keptRenewed(SystemTime.scheduler());
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(
          "mooring." + service + ".kubeconfig",
          kubeconfig,
          e.getMessage()
              + "; its current context is to point at the workspace of APIExport "
              + apiExport);
    }
  }
}
