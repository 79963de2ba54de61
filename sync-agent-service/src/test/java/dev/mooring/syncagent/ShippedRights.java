package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.AGENT_USER;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Gives {@link TwoClusters#AGENT_USER} the rights of shipped manifests, and collects what the
 * servers refuse that user. As a static extension it listens for all tests of a class.
 */
final class ShippedRights implements BeforeAllCallback, AfterAllCallback {
  private static final Path CHART = Path.of("..", "charts", "mooring");
  private static final Logger SERVERS = (Logger) LoggerFactory.getLogger("dev.mooring.sandbox");

  private final CapturedLog log = new CapturedLog();
  private Level before;

  @Override
  public void beforeAll(ExtensionContext context) {
    before = SERVERS.getLevel();
    SERVERS.setLevel(Level.INFO);
    log.setContext(SERVERS.getLoggerContext());
    log.start();
    SERVERS.addAppender(log);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    SERVERS.detachAppender(log);
    SERVERS.setLevel(before);
  }

  /** Lines of the servers' log about refused requests of the agent's user. */
  List<String> refusals() {
    return log.lines().stream()
        .filter(line -> line.contains("Access denied") && line.contains("\"" + AGENT_USER + "\""))
        .toList();
  }

  /**
   * Creates the objects of a manifest.
   *
   * @param file below charts/mooring
   * @param edits pairs of a text of the manifest and the test's own in its place
   */
  static void grant(KubeClient client, String file, String... edits) throws IOException {
    String manifest =
        Files.readString(CHART.resolve(file))
            .replace("kind: User, name: mooring:sync-agent", "kind: User, name: " + AGENT_USER);
    for (int i = 0; i < edits.length; i += 2) {
      manifest = manifest.replace(edits[i], edits[i + 1]);
    }
    Arrays.stream(manifest.split("\n---\n"))
        .map(TwoClusters::object)
        .forEach(object ->
            client.create(
                new ResourceType(
                    "rbac.authorization.k8s.io",
                    "v1",
                    object.kind().toLowerCase(Locale.ROOT) + "s"),
                object));
  }

  /** An agent for these clusters, which logs in as the agent's user on both sides. */
  static AgentStart agent(TwoClusters clusters) throws IOException {
    return AgentStart.between(clusters)
        .toService(serviceKubeconfig(clusters))
        .toKcp(byAgent(clusters, clusters.kcpKubeconfig(), "kcp.kubeconfig"));
  }

  static Path serviceKubeconfig(TwoClusters clusters) throws IOException {
    return byAgent(clusters, clusters.serviceKubeconfig(), "service.kubeconfig");
  }

  private static Path byAgent(TwoClusters clusters, Path kubeconfig, String name)
      throws IOException {
    return Files.writeString(
        clusters.directory().resolve(name),
        Files.readString(kubeconfig).replaceAll("token: .*", "token: " + TwoClusters.AGENT_TOKEN));
  }
}
