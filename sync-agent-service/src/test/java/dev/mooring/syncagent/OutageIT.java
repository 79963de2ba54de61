package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.published.PublishedResource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Servers that go away and come back, and credentials that are replaced, under a running agent. */
class OutageIT {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final Pattern SERVER = Pattern.compile("server: \"?(https://[^/\"\\s]+)");

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();
  private static Certificates certificates;
  private static AgentStart usual;

  @BeforeAll
  static void start() {
    usual = AgentStart.between(clusters);
    certificates = new Certificates(clusters, "consumer-1");
  }

  @Test
  void saysThatTheServiceClusterIsDownAndCatchesUpWhenItIsBack() throws Exception {
    try (var gate = new Gate(port(clusters.serviceKubeconfig()));
        SyncAgent agent = usual.toService(through(gate, clusters.serviceKubeconfig())).start()) {
      AgentStart.awaitReady(agent);
      gate.shut();
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(agent.reasons()).anyMatch(h -> h.startsWith("service cluster: ")));
      assertThat(agent.reasons()).noneMatch(reason -> reason.startsWith("kcp: "));
      certificates.order("meanwhile");

      gate.open();

      certificates.copy("meanwhile");
      AgentStart.awaitReady(agent);
    }
  }

  @Test
  void saysThatKcpIsDownAndCatchesUpWhenItIsBack() throws Exception {
    try (var gate = new Gate(port(clusters.kcpKubeconfig()));
        SyncAgent agent = usual.toKcp(through(gate, clusters.kcpKubeconfig())).start()) {
      AgentStart.awaitReady(agent);
      gate.shut();
      await()
          .atMost(PATIENCE)
          .untilAsserted(() -> assertThat(agent.reasons()).anyMatch(h -> h.startsWith("kcp: ")));
      assertThat(agent.reasons()).noneMatch(h -> h.startsWith("service cluster: "));
      clusters
          .service()
          .patch(
              PublishedResource.TYPE,
              "",
              "certificates",
              Map.of("spec", Map.of("projection", Map.of("shortNames", List.of("ct")))));

      gate.open();

      AgentStart.awaitReady(agent);
      clusters.eventually(
          clusters.service(),
          PublishedResource.TYPE,
          "",
          "certificates",
          resource ->
              assertThat(resource.at("status", "observedGeneration"))
                  .isEqualTo(resource.generation()));
    }
  }

  @Test
  void waitsForAServerThatIsNotThereYet() throws Exception {
    try (var gate = new Gate(port(clusters.serviceKubeconfig()))) {
      gate.shut();
      try (SyncAgent agent = usual.toService(through(gate, clusters.serviceKubeconfig())).start()) {
        await()
            .atMost(PATIENCE)
            .untilAsserted(() ->
                assertThat(agent.reasons())
                    .anyMatch(h -> h.startsWith("service cluster: ") && h.contains("no answer")));
        gate.open();

        AgentStart.awaitReady(agent);
      }
    }
  }

  @Test
  void goesOnWithTheKubeconfigsThatReplaceItsOwn() throws Exception {
    Path service = clusters.directory().resolve("rotated.kubeconfig");
    Path right = clusters.serviceKubeconfig();
    Files.writeString(service, Files.readString(right).replaceAll("token: .*", "token: expired"));
    try (SyncAgent agent = usual.toService(service).start()) {
      await()
          .atMost(PATIENCE)
          .untilAsserted(() ->
              assertThat(agent.reasons())
                  .anyMatch(h -> h.startsWith("service cluster: ") && h.contains("401")));
      var before = agent.serviceCluster().orElseThrow();

      Files.writeString(service, Files.readString(right));

      AgentStart.awaitReady(agent);
      await()
          .atMost(PATIENCE)
          .untilAsserted(
              () -> assertThat(agent.serviceCluster().orElseThrow()).isNotSameAs(before));
      certificates.order("rotated");
      certificates.copy("rotated");

      Files.writeString(service, "not: a kubeconfig");

      certificates.order("kept");
      certificates.copy("kept");
    }
  }

  private static int port(Path kubeconfig) throws IOException {
    return URI.create(server(kubeconfig)).getPort();
  }

  private static String server(Path kubeconfig) throws IOException {
    Matcher server = SERVER.matcher(Files.readString(kubeconfig));
    assertThat(server.find()).isTrue();
    return server.group(1);
  }

  /** A kubeconfig like the given one that leads through the gate. */
  private static Path through(Gate gate, Path kubeconfig) throws IOException {
    return Files.writeString(
        clusters.directory().resolve("gate-" + gate.port() + ".kubeconfig"),
        Files.readString(kubeconfig)
            .replace(server(kubeconfig), "https://127.0.0.1:" + gate.port()));
  }
}
