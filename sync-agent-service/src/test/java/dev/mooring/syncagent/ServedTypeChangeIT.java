package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.object;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.testing.TestSandbox;
import dev.mooring.sandbox.fault.Fault;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A published type without a CRD that comes to be served in another form: nothing can be watched
 * that tells of it, but whatever serves it ends its watches when it is replaced.
 */
class ServedTypeChangeIT {
  private static final ResourceType GEARS = new ResourceType("gears.example.io", "v1", "gears");
  private static final ResourceType OFFERED = new ResourceType("offered.example.io", "v1", "gears");

  @TempDir private static Path directory;

  @Test
  void isReadAgainWhenAWatchOfItHadEnded() {
    try (var sandbox = TestSandbox.start(directory.resolve("kcp"));
        var bench = new PublishingBench(sandbox.kcp(), directory)) {
      WorkspacePath serving = bench.serveWithoutCrd(schema("v1", "weight"), object(EXPORT, "v1"));
      bench.startAgent();
      WorkspacePath consumer = bench.bindConsumer();
      bench.publish(
          "gears",
          "resource: {apiGroup: gears.example.io, kind: Gear}\n"
              + "projection: {group: offered.example.io}\n");
      String first = awaitSchema(bench, "");
      bench.create(consumer, OFFERED, gear());
      KubeObject copy =
          await()
              .atMost(AgentStart.PATIENCE)
              .until(() -> copies(bench.service()), copies -> copies.size() == 1)
              .getFirst();

      KubeClient provider = bench.consumer(serving);
      provider.create(TwoClusters.SCHEMAS, schema("v2", "teeth"));
      provider.patch(
          TwoClusters.EXPORTS,
          "",
          "gears",
          Map.of("spec", Map.of("resources", object(EXPORT, "v2").list("spec", "resources"))));
      await()
          .atMost(AgentStart.PATIENCE)
          .untilAsserted(() ->
              assertThat(bench.service().document("openapi/v3/apis/gears.example.io/v1").tree())
                  .asString()
                  .contains("teeth"));

      sandbox.server().faults().inject(Fault.DROPPED_WATCH, 1);
      bench
          .service()
          .patch(
              GEARS,
              copy.namespace(),
              copy.name(),
              Map.of("metadata", Map.of("annotations", Map.of("example.io/seen", "by nobody"))));
      await()
          .atMost(AgentStart.PATIENCE)
          .until(() -> sandbox.server().faults().injected(Fault.DROPPED_WATCH) > 0);
      sandbox.server().faults().reset();

      String second = awaitSchema(bench, first);
      assertThat(bench.provider().find(TwoClusters.SCHEMAS, "", second).orElseThrow().map("spec"))
          .asString()
          .contains("teeth");
    }
  }

  private static String awaitSchema(PublishingBench bench, String other) {
    return bench
        .awaitPublished(
            "gears",
            published -> {
              assertThat(PublishingBench.condition(published, "Exported"))
                  .isEqualTo("True Exported");
              assertThat(published.text("status", "resourceSchemaName")).isNotEqualTo(other);
            })
        .text("status", "resourceSchemaName");
  }

  private static List<KubeObject> copies(KubeClient service) {
    try {
      return service.list(GEARS, ListQuery.ALL).items();
    } catch (KubeFailure e) {
      return List.of(); // not served yet
    }
  }

  private static KubeObject gear() {
    return object(
        """
        apiVersion: offered.example.io/v1
        kind: Gear
        metadata: {namespace: default, name: big}
        spec: {color: red}
        """);
  }

  private static KubeObject schema(String name, String more) {
    return object(
        """
        apiVersion: apis.kcp.io/v1alpha1
        kind: APIResourceSchema
        metadata: {name: %s.gears.gears.example.io}
        spec:
          group: gears.example.io
          scope: Namespaced
          names: {kind: Gear, listKind: GearList, plural: gears, singular: gear}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              type: object
              properties:
                spec:
                  type: object
                  properties: {color: {type: string}, %s: {type: string}}
        """,
        name, more);
  }

  private static final String EXPORT =
      """
      apiVersion: apis.kcp.io/v1alpha2
      kind: APIExport
      metadata: {name: gears}
      spec:
        resources:
        - {group: gears.example.io, name: gears, schema: %s.gears.gears.example.io, storage: {crd: {}}}
      """;
}
