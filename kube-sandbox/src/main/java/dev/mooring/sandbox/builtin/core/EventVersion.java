package dev.mooring.sandbox.builtin.core;

import com.google.common.collect.ImmutableBiMap;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.VersionConverter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The two APIs of one resource: {@code v1} events are stored, those of events.k8s.io converted. */
public enum EventVersion {
  CORE,
  EVENTS;

  /** From a field of events.k8s.io/v1 to that of v1; what is not here has the same name. */
  private static final ImmutableBiMap<String, String> RENAMED =
      ImmutableBiMap.of(
          "reportingController", "reportingComponent",
          "regarding", "involvedObject",
          "note", "message",
          "deprecatedSource", "source",
          "deprecatedFirstTimestamp", "firstTimestamp",
          "deprecatedLastTimestamp", "lastTimestamp",
          "deprecatedCount", "count");

  public VersionConverter converter() {
    return switch (this) {
      case CORE -> VersionConverter.Identity.SAME;
      case EVENTS ->
          VersionConverter.of(
              stored -> withoutBlanks(renamed(stored, RENAMED.inverse(), "events.k8s.io/v1")),
              served -> renamed(served, RENAMED, "v1"));
    };
  }

  /** Of who reports, v1 writes empty texts, and events.k8s.io none. */
  private static KubeObject withoutBlanks(KubeObject event) {
    KubeObject left = event;
    for (String field : List.of("reportingController", "reportingInstance")) {
      left = left.text(field).isEmpty() ? left.without(field) : left;
    }
    return left;
  }

  private static KubeObject renamed(
      KubeObject object, Map<String, String> names, String apiVersion) {
    var tree = new LinkedHashMap<String, Object>();
    object.tree().forEach((field, value) -> tree.put(names.getOrDefault(field, field), value));
    tree.put("apiVersion", apiVersion);
    return KubeObject.owning(java.util.Collections.unmodifiableMap(tree));
  }
}
