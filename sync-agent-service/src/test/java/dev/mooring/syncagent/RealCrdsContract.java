package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.testing.Manifests;
import dev.mooring.runtime.testing.TestKcp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every CRD of public projects in {@code ../shared/crds} is published, bound, and one object of it
 * synced down and its status up. Subclasses say on which kcp.
 */
abstract class RealCrdsContract {
  private static PublishingBench bench;
  private static WorkspacePath consumer;
  private static Projected projected;

  /** Whether types are renamed on the way. */
  enum Projected {
    NO,
    YES
  }

  static void enter(TestKcp kcp, Path directory, Projected how) throws IOException {
    projected = how;
    bench = new PublishingBench(kcp, directory);
    for (String file : crds()) {
      bench.createCrd(crd(file));
      bench.publish(published(crd(file)));
    }
    bench.startAgent();
    consumer = bench.bindConsumer();
  }

  static void leave() {
    if (bench != null) {
      bench.close();
      bench = null;
    }
  }

  static Path folder() {
    Path folder = Path.of("..", "..", "shared", "crds");
    assumeTrue(Files.isDirectory(folder), "skipped: no CRDs (../shared/crds is not there)");
    return folder;
  }

  static List<String> crds() throws IOException {
    try (Stream<Path> files = Files.list(folder())) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.endsWith(".yaml"))
          .sorted()
          .toList();
    }
  }

  private static KubeObject crd(String file) {
    return Manifests.read(folder().resolve(file)).getFirst().without("status");
  }

  private static KubeObject published(KubeObject crd) {
    var spec = new LinkedHashMap<String, Object>();
    spec.put(
        "resource",
        Map.of("apiGroup", crd.text("spec", "group"), "kind", crd.text("spec", "names", "kind")));
    spec.put("naming", Map.of("name", "{{ .Object.metadata.name }}"));
    if (projected == Projected.YES) {
      var versions = new TreeMap<String, Object>();
      crd.list("spec", "versions")
          .forEach(version -> versions.put(name(version), renamed(name(version))));
      spec.put(
          "projection",
          Map.of(
              "group", "offers.example.io",
              "kind", inKcp(crd),
              "versions", versions,
              "shortNames", List.of(),
              "categories", List.of("offers")));
    }
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "syncagent.kcp.io/v1alpha1",
            "kind",
            "PublishedResource",
            "metadata",
            Map.of("name", crd.name()),
            "spec",
            spec));
  }

  private static String inKcp(KubeObject crd) {
    String kind = crd.text("spec", "names", "kind");
    return projected == Projected.YES ? "Offered" + kind : kind;
  }

  private static String renamed(String version) {
    return version.replace("v", "v9");
  }

  @ParameterizedTest
  @MethodSource("crds")
  void syncsAnObjectInFullAndItsStatusBack(String file) {
    KubeObject crd = crd(file);
    ResourceType source = sourceType(crd);
    ResourceType local = localType(crd);
    KubeObject sample = SampleObjects.of(crd, source.apiVersion(), inKcp(crd));
    bench.create(consumer, source, sample);

    KubeObject stored =
        bench.consumer(consumer).find(source, sample.namespace(), sample.name()).orElseThrow();
    String namespace = sample.namespace().isEmpty() ? "" : cluster(stored);
    KubeObject copy =
        bench.eventually(
            bench.service(),
            local,
            namespace,
            sample.name(),
            seen -> assertThat(content(seen)).isEqualTo(content(stored)));
    assertThat(content(copy)).isNotEmpty();

    if (hasStatus(crd, local.version())) {
      Object status = SampleObjects.status(crd, local.version());
      bench.service().patchStatus(local, copy.namespace(), copy.name(), Map.of("status", status));
      KubeObject reported =
          bench.service().find(local, copy.namespace(), copy.name()).orElseThrow();
      bench.eventually(
          bench.consumer(consumer),
          source,
          sample.namespace(),
          sample.name(),
          seen -> assertThat(seen.map("status")).isEqualTo(reported.map("status")).isNotEmpty());
    }
  }

  /** Everything that is synced down. */
  private static Map<String, Object> content(KubeObject object) {
    var content = new LinkedHashMap<>(object.tree());
    List.of("apiVersion", "kind", "metadata", "status").forEach(content::remove);
    return content;
  }

  private static String cluster(KubeObject stored) {
    return stored.logicalCluster().orElseThrow().name();
  }

  private static ResourceType sourceType(KubeObject crd) {
    ResourceType local = localType(crd);
    return projected == Projected.YES
        ? new ResourceType(
            "offers.example.io",
            renamed(local.version()),
            inKcp(crd).toLowerCase(Locale.ROOT) + "s")
        : local;
  }

  /** In the storage version: all of these serve it. */
  private static ResourceType localType(KubeObject crd) {
    var versions = new ArrayList<String>();
    for (Object version : crd.list("spec", "versions")) {
      if (Boolean.TRUE.equals(Trees.at(version, "storage"))) {
        versions.add(name(version));
      }
    }
    return new ResourceType(
        crd.text("spec", "group"), versions.getFirst(), crd.text("spec", "names", "plural"));
  }

  private static boolean hasStatus(KubeObject crd, String version) {
    return crd.list("spec", "versions").stream()
        .anyMatch(entry ->
            name(entry).equals(version) && Trees.at(entry, "subresources", "status") != null);
  }

  private static String name(Object version) {
    return Trees.textOrEmpty(Trees.at(version, "name"));
  }
}
