package dev.mooring.syncagent.agent;

import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import java.io.File;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/**
 * Where the service cluster is and who the agent is there.
 *
 * @param kubeconfig empty for what the environment names: the variable {@code KUBECONFIG}, the
 *     pod's service account, or the user's kubeconfig, in this order
 * @param server URL in place of the kubeconfig's
 * @param caFile certificates to trust in place of the kubeconfig's
 */
public record ServiceCluster(
    Optional<Path> kubeconfig, Optional<String> server, Optional<Path> caFile) {
  /** Throws {@link IllegalArgumentException} if there are no usable credentials (yet). */
  KubeConnection connect(ConnectionOptions options) {
    ConnectionOptions adjusted = options.withServer(server).trusting(caFile);
    Optional<Path> file = file(System.getenv(), KubeConnection.runsInCluster());
    return file.isPresent()
        ? KubeConnection.fromKubeconfig(file.get(), adjusted)
        : KubeConnection.inCluster(adjusted);
  }

  /** The kubeconfig to read; empty for the pod's service account. */
  Optional<Path> file(Map<String, String> environment, boolean inCluster) {
    if (kubeconfig.isPresent()) {
      return kubeconfig;
    }
    String named = environment.getOrDefault("KUBECONFIG", "");
    if (named.contains(File.pathSeparator)) {
      throw new IllegalArgumentException(
          "KUBECONFIG names several files (" + named + "); name the one to use by --kubeconfig");
    }
    if (!named.isEmpty()) {
      return Optional.of(Path.of(named));
    }
    return inCluster
        ? Optional.empty()
        : Optional.of(Path.of(System.getProperty("user.home"), ".kube", "config"));
  }
}
