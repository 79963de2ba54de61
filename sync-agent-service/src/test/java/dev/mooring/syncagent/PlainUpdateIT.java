package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.testing.TestSandbox;
import dev.mooring.syncagent.publish.decide.StatusFields;
import dev.mooring.syncagent.published.PublishedResource;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A client that waits for the APIExport and then updates the PublishedResource with the
 * resourceVersion that it has read, under the Go agent's CRD, as the Go agent's own tests do.
 */
class PlainUpdateIT {
  private static final String GROUP = "plain.example.io";

  @TempDir private static Path directory;

  @Test
  void meetsNoConflictOnceTheExportListsTheSchema() {
    try (var sandbox = TestSandbox.start(directory.resolve("kcp"));
        var bench = new PublishingBench(sandbox.kcp(), directory)) {
      keepTheSchemasNameOnly(bench);
      bench.createCrd(ThingCrds.things(GROUP, "v1"));
      bench.startAgent();
      WorkspacePath consumer = bench.bindConsumer();

      bench.publish(
          "plain",
          """
          resource: {apiGroup: %s, kind: Thing}
          naming: {name: "{{ .Object.metadata.name }}"}
          """
              .formatted(GROUP));

      KubeObject export =
          bench.eventually(
              bench.provider(),
              TwoClusters.EXPORTS,
              PublishingBench.EXPORT,
              seen -> assertThat(seen.list("spec", "resources")).isNotEmpty());
      KubeObject published =
          bench.awaitPublished(
              "plain",
              seen ->
                  assertThat(export.list("spec", "resources"))
                      .extracting(entry -> Trees.at(entry, "schema"))
                      .contains(seen.text("status", "resourceSchemaName")));
      // Both are in one sandbox, which numbers all writes in their order.
      assertThat(version(published)).isLessThan(version(export));

      bench.create(
          consumer, ThingCrds.type(GROUP), ThingCrds.thing(GROUP, "first", Map.of("size", 1L)));
      bench.eventually(
          bench.service(),
          ThingCrds.type(GROUP),
          bench
              .consumer(consumer)
              .find(TwoClusters.NAMESPACES, "", "default")
              .flatMap(KubeObject::logicalCluster)
              .orElseThrow()
              .name(),
          "first",
          copy -> assertThat(copy.at("spec", "size")).isEqualTo(1L));
      bench
          .service()
          .update(
              PublishedResource.TYPE,
              published.with("seen", "metadata", "annotations", "example.io/plain"));
    }
  }

  private static void keepTheSchemasNameOnly(PublishingBench bench) {
    KubeObject crd = bench.service().find(TwoClusters.CRDS, "", StatusFields.CRD).orElseThrow();
    KubeObject version = KubeObject.of(Trees.mapOrEmpty(crd.list("spec", "versions").getFirst()));
    bench
        .service()
        .patch(
            TwoClusters.CRDS,
            "",
            StatusFields.CRD,
            Map.of(
                "spec",
                Map.of(
                    "versions",
                    List.of(
                        version
                            .with(
                                Map.of("resourceSchemaName", Map.of("type", "string")),
                                "schema",
                                "openAPIV3Schema",
                                "properties",
                                "status",
                                "properties")
                            .tree()))));
  }

  private static long version(KubeObject object) {
    return Long.parseLong(object.resourceVersion());
  }
}
