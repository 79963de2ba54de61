package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.console.testing.ConsoleBrowserContract;
import dev.mooring.runtime.testing.ManagementContract;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.sync.ObjectSync;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The agent's console with 10,000 objects. */
@Tag("full")
class AgentConsoleBrowserIT extends ConsoleBrowserContract {
  private static final int OBJECTS = 10_000;

  /** For as many writes, and the lists of them. */
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();

  private String cluster = "";

  @Override
  protected ConfigurableApplicationContext start() throws Exception {
    Manifests.read(Path.of("../charts/mooring/kcp/rbac-endpoint-callers.yaml"))
        .forEach(role -> clusters.service().create(Manifests.typeOf(role), role));
    Manifests.parse(ManagementContract.BINDINGS)
        .forEach(binding -> clusters.service().create(Manifests.typeOf(binding), binding));
    ConfigurableApplicationContext agent =
        new SpringApplicationBuilder(SyncAgentApplication.class)
            .run(
                "--server.port=0",
                "--mooring.sync-agent.kubeconfig=" + clusters.serviceKubeconfig(),
                "--mooring.sync-agent.kcp-kubeconfig=" + clusters.kcpKubeconfig(),
                "--mooring.sync-agent.apiexportendpointslice-ref=certs");
    var certificates = new Certificates(clusters, "consumer-1");
    cluster = certificates.cluster();
    certificates.order("web");
    certificates.copy("web");
    RelatedStage.namespace(clusters.service(), "taken");
    OrderedKind orders =
        OrderedKind.publish(
            clusters,
            "orders",
            "naming: {namespace: taken, name: '{{ .Object.metadata.annotations.title }}'}");
    orders.create(
        TwoClusters.object(
            "{apiVersion: %s, kind: Order, metadata: {namespace: default, name: spring-sale,"
                + " annotations: {title: Spring Sale}}}",
            orders.source().apiVersion()));
    try (var writers = Executors.newFixedThreadPool(8)) {
      for (int i = 1; i < OBJECTS; i++) {
        String name = "shop-%05d".formatted(i);
        writers.submit(() -> certificates.order(name));
      }
    }
    await()
        .atMost(PATIENCE)
        .untilAsserted(() ->
            assertThat(
                    agent.getBean(SyncAgent.class).syncs().stream()
                        .map(ObjectSync::status)
                        .flatMap(status -> status.find(""))
                        .count())
                .isGreaterThanOrEqualTo(OBJECTS));
    return agent;
  }

  @Override
  protected String service() {
    return "sync-agent";
  }

  @Override
  protected List<String> pages() {
    return List.of(
        "",
        "published",
        "published?name=orders",
        "objects",
        "objects?text=shop-0999",
        "objects?resource=certificates&namespace=default&name=web&cluster=" + cluster);
  }
}
