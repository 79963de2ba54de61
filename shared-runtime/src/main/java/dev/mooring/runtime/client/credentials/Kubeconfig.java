package dev.mooring.runtime.client.credentials;

import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One context of a kubeconfig.
 *
 * @param config without what the environment would add
 */
record Kubeconfig(Config config, Credentials credentials) {
  /**
   * @param context empty for the current one
   */
  static Kubeconfig read(Path file, String context) {
    if (!Files.isReadable(file)) {
      throw new IllegalArgumentException("kubeconfig " + file + " cannot be read");
    }
    Config config = load(file, context);
    return new Kubeconfig(config, credentials(file, context, config));
  }

  private static Config load(Path file, String context) {
    Config config;
    try {
      config = Config.fromKubeconfig(context.isEmpty() ? null : context, file.toFile());
    } catch (RuntimeException e) {
      // fabric8 lets its parsers' own exceptions through.
      throw new IllegalArgumentException("kubeconfig " + file + " is not readable as one", e);
    }
    NamedContext chosen = config.getCurrentContext();
    // fabric8 falls back to the current context where the one asked for is missing.
    if (chosen == null || !(context.isEmpty() || isNamed(context, chosen.getName()))) {
      throw new IllegalArgumentException(
          "kubeconfig %s has no %s; it has %s"
              .formatted(
                  file,
                  context.isEmpty() ? "current context" : "context " + context,
                  config.getContexts().stream().map(NamedContext::getName).sorted().toList()));
    }
    // Without a cluster fabric8 would send the credentials to https://kubernetes.default.svc.
    String cluster = chosen.getContext().getCluster();
    if (listed(parsed(file).getClusters()).stream()
        .noneMatch(named -> isNamed(cluster, named.getName()) && serves(named.getCluster()))) {
      throw new IllegalArgumentException(
          "kubeconfig " + file + ": context " + chosen.getName() + " names no server");
    }
    return config;
  }

  /** A half-written file has entries without a name. */
  private static boolean isNamed(@Nullable String asked, @Nullable String name) {
    return asked != null && asked.equals(name);
  }

  private static boolean serves(Cluster cluster) {
    return cluster != null && cluster.getServer() != null && !cluster.getServer().isBlank();
  }

  /** fabric8 knows no {@code tokenFile}, so it is looked up here. */
  private static Credentials credentials(Path file, String context, Config config) {
    String user = config.getCurrentContext().getContext().getUser();
    String tokenFile =
        listed(parsed(file).getUsers()).stream()
            .filter(named -> isNamed(user, named.getName()) && named.getUser() != null)
            .map(named -> named.getUser().getTokenFile())
            .filter(path -> path != null && !path.isEmpty())
            .findFirst()
            .orElse("");
    return tokenFile.isEmpty()
        ? Credentials.of(() -> load(file, context))
        : Credentials.tokenFile(file.toAbsolutePath().resolveSibling(tokenFile));
  }

  private static io.fabric8.kubernetes.api.model.Config parsed(Path file) {
    return KubeConfigUtils.parseConfig(file.toFile());
  }

  private static <T> List<T> listed(List<T> list) {
    return list == null ? List.of() : list;
  }
}
