package dev.mooring.benchmarks.server;

import dev.mooring.harness.Manifests;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.util.Collections;
import java.util.Map;

/** Objects of the measured type, about 1 KiB of JSON as a client sends them. */
final class Things {
  /** Of one workspace. */
  static final String COLLECTION = "/apis/bench.example.com/v1/namespaces/default/things";

  /** Of all workspaces of a view. */
  static final String EVERYWHERE = "/apis/bench.example.com/v1/things";

  /** One of so many objects has the label that is selected by. */
  private static final int GROUPS = 100;

  static final String SELECTOR = "?labelSelector=group%3D7";

  private static final int LINES = 9;
  private static final String LINE =
      "The cogs are packed in straw; keep the cards dry and in the order in which they are. ";

  private static final KubeObject THING =
      Manifests.ofResource("/server-benchmark/thing.yaml", Map.of()).getFirst();

  private Things() {}

  static byte[] thing(String name, int number) {
    Map<String, Object> group = Map.of("group", Integer.toString(number % GROUPS));
    return KubeJson.write(
        THING
            .with(name, "metadata", "name")
            .with(group, "metadata", "labels")
            .with(Collections.nCopies(LINES, LINE + number), "spec", "lines"));
  }

  /** What gives an object another count. */
  static byte[] patch() {
    return KubeJson.write(Map.of("spec", Map.of("count", 1L)));
  }

  /** An APIBinding to Things. */
  static byte[] binding(String providerPath) {
    return KubeJson.write(
        Manifests.ofResource("/server-benchmark/binding.yaml", Map.of("path", providerPath))
            .getFirst());
  }
}
