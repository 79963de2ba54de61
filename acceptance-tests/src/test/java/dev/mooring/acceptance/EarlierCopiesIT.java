package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.awaitSecret;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.copy;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.demo.Types;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.Program;
import dev.mooring.languages.Hashes;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * {@code mooring leave agent} where an api-syncagent has made the copies, and no sync agent ran
 * since: its own Secrets say what it has copied.
 */
@Tag("full")
class EarlierCopiesIT {
  private static final String EXPORT = "certificates.example.corp";
  private static final String MARKS = "syncagent.kcp.io";

  @Test
  void deletesRelatedCopiesThatOnlyTheGoProgramRecorded() {
    KcpChoice kcp =
        KcpChoice.fromEnvironment() instanceof KcpChoice.Existing existing
            ? existing
            : new KcpChoice.Sandbox(2);
    try (var started = new Mooring.Started("earlier-copies", kcp, _ -> {})) {
      DemoEnvironment stage = started.running().stage();
      KubeClient blue = stage.blue().client();
      KubeClient service = stage.serviceCluster().client();
      blue.create(Types.CERTIFICATES, certificate("shop", "a.example.org"));
      KubeObject source = awaitReady(stage.blue(), "shop");
      awaitSecret(stage.blue(), "shop-tls");
      KubeObject placed = copy(stage.serviceCluster(), source).orElseThrow();
      KubeObject original =
          service.find(Types.SECRETS, placed.namespace(), "shop-tls").orElseThrow();
      started.running().suite().service(Program.SYNC_AGENT).kill();
      forget(service);
      service.create(Types.SECRETS, state(source, original));

      MooringRun run =
          MooringRun.of(
              List.of(
                  "leave",
                  "agent",
                  "--copies=delete",
                  "--agent-stopped",
                  "--endpoint-slice=" + EXPORT,
                  "--kubeconfig=" + stage.certificates().kubeconfig(),
                  "--service-kubeconfig=" + stage.serviceCluster().kubeconfig(),
                  "--yes"));

      assertThat(run.err())
          .contains("records of api-syncagent: take over those of 1 (secrets/default/shop-tls)");
      assertThat(run.status()).as(run.out()).isZero();
      assertThat(blue.find(Types.SECRETS, "default", "shop-tls")).isEmpty();
      assertThat(copy(stage.serviceCluster(), source)).isEmpty();
      assertThat(blue.find(Types.CERTIFICATES, "default", "shop").orElseThrow().finalizers())
          .noneMatch(finalizer -> finalizer.startsWith(MARKS));
      assertThat(secrets(service)).isEmpty();
    }
  }

  /** What the sync agent has recorded. */
  private static void forget(KubeClient service) {
    secrets(service)
        .forEach(secret ->
            service.delete(
                Types.SECRETS,
                secret.namespace(),
                secret.name(),
                new DeleteCondition.Unconditional()));
    assertThat(secrets(service)).isEmpty();
  }

  private static List<KubeObject> secrets(KubeClient service) {
    return service.list(Types.SECRETS, ListQuery.ALL.inNamespace("default")).items().stream()
        .filter(secret -> secret.labels().keySet().stream().anyMatch(key -> key.startsWith(MARKS)))
        .toList();
  }

  /** As api-syncagent 0.7.0 writes it. */
  private static KubeObject state(KubeObject primary, KubeObject related) {
    String cluster = primary.logicalCluster().orElseThrow().name();
    String identity =
        "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"name\":\"%s\",\"namespace\":\"%s\"}\n"
            .formatted(primary.apiVersion(), primary.kind(), primary.name(), primary.namespace());
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Secret",
            "metadata",
            Map.of(
                "namespace",
                "default",
                "name",
                "obj-state-" + cluster + "-" + Hashes.sha1Short(identity),
                "labels",
                Map.of(
                    MARKS + "/object-state",
                    "true",
                    MARKS + "/remote-object-cluster",
                    cluster,
                    MARKS + "/remote-object-name-hash",
                    Hashes.sha1(primary.name()),
                    MARKS + "/remote-object-namespace-hash",
                    Hashes.sha1(primary.namespace()))),
            "data",
            Map.of(
                entry(cluster, primary), content(primary), entry("", related), content(related))));
  }

  /**
   * @param cluster empty on the service cluster
   */
  private static String entry(String cluster, KubeObject object) {
    return Hashes.sha1(
        "{\"ClusterName\":\"%s\",\"WorkspacePath\":\"\",\"Namespace\":\"%s\",\"Name\":\"%s\"}\n"
            .formatted(cluster, object.namespace(), object.name()));
  }

  private static String content(KubeObject object) {
    KubeObject state =
        object.with(Map.of("namespace", object.namespace(), "name", object.name()), "metadata");
    return Base64.getEncoder()
        .encodeToString(KubeJson.writeText(state.tree()).getBytes(StandardCharsets.UTF_8));
  }
}
