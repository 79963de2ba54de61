package dev.mooring.benchmarks.sync;

import dev.mooring.harness.Manifests;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.Map;

/** The benchmark's objects, and the types that it speaks of. */
final class Types {
  static final ResourceType PARCELS = new ResourceType("benchmark.mooring.dev", "v1", "parcels");
  static final ResourceType EVENTS = ResourceType.core("events");

  /** Of the APIExport, its endpoint slice and the APIBindings. */
  static final String EXPORT = "benchmark";

  private static final KubeObject PARCEL = resource("parcel.yaml");

  private Types() {}

  static KubeObject resource(String file) {
    return Manifests.ofResource("/sync-benchmark/" + file, Map.of()).getFirst();
  }

  static KubeObject parcel(String name) {
    return PARCEL.with(name, "metadata", "name");
  }

  static Map<String, Object> status(String phase) {
    return Map.of("status", Map.of("phase", phase, "carrier", "Royal Mail"));
  }
}
