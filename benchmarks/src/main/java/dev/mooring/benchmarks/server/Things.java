package dev.mooring.benchmarks.server;

import dev.mooring.harness.Manifests;
import dev.mooring.model.json.KubeJson;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/** Objects of the measured type, about 1 KiB of JSON as a client sends them. */
final class Things {
  /** Of one workspace. */
  static final String COLLECTION = "/apis/bench.example.com/v1/namespaces/default/things";

  /** Of all workspaces of a view. */
  static final String EVERYWHERE = "/apis/bench.example.com/v1/things";

  /** One of so many objects has the label that is selected by. */
  private static final int GROUPS = 100;

  private static final int LINES = 9;
  private static final String LINE =
      "The cogs are packed in straw; keep the cards dry and in the order in which they are. ";

  private Things() {}

  static String selector() {
    return "?labelSelector=group%3D7";
  }

  /**
   * One object.
   *
   * @param count of its spec
   */
  static byte[] thing(String name, int number, int count) {
    var spec = new LinkedHashMap<String, Object>();
    spec.put("owner", "Bricks and Mortar Ltd.");
    spec.put("count", (long) count);
    spec.put("lines", Collections.nCopies(LINES, LINE + number));
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("name", name);
    metadata.put("namespace", "default");
    metadata.put("labels", Map.of("group", Integer.toString(number % GROUPS)));
    var thing = new LinkedHashMap<String, Object>();
    thing.put("apiVersion", "bench.example.com/v1");
    thing.put("kind", "Thing");
    thing.put("metadata", metadata);
    thing.put("spec", spec);
    return KubeJson.write(thing);
  }

  /** What gives an object another count. */
  static byte[] patch(int count) {
    return KubeJson.write(Map.of("spec", Map.of("count", (long) count)));
  }

  /** An APIBinding to Things. */
  static byte[] binding(String providerPath) {
    return KubeJson.write(
        Manifests.ofResource("/server-benchmark/binding.yaml", Map.of("path", providerPath))
            .getFirst());
  }
}
