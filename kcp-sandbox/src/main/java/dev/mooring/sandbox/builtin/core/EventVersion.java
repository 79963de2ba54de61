package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.VersionConverter;
import java.util.LinkedHashMap;
import java.util.Map;

/** The two APIs of one resource: {@code v1} events are stored, those of events.k8s.io converted. */
public enum EventVersion {
  CORE,
  EVENTS;

  /** From a field of events.k8s.io/v1 to that of v1; what is not here has the same name. */
  private static final Map<String, String> RENAMED =
      Map.of(
          "reportingController", "reportingComponent",
          "regarding", "involvedObject",
          "note", "message",
          "deprecatedSource", "source",
          "deprecatedFirstTimestamp", "firstTimestamp",
          "deprecatedLastTimestamp", "lastTimestamp",
          "deprecatedCount", "count");

  String subjectField() {
    return this == CORE ? "involvedObject" : "regarding";
  }

  public VersionConverter converter() {
    return switch (this) {
      case CORE -> VersionConverter.SAME;
      case EVENTS ->
          new VersionConverter() {
            @Override
            public KubeObject toServed(KubeObject stored) {
              var back = new LinkedHashMap<String, String>();
              RENAMED.forEach((served, core) -> back.put(core, served));
              return renamed(stored, back, "events.k8s.io/v1");
            }

            @Override
            public KubeObject toStorage(KubeObject served) {
              return renamed(served, RENAMED, "v1");
            }
          };
    };
  }

  private static KubeObject renamed(
      KubeObject object, Map<String, String> names, String apiVersion) {
    var tree = new LinkedHashMap<String, Object>();
    object.tree().forEach((field, value) -> tree.put(names.getOrDefault(field, field), value));
    tree.put("apiVersion", apiVersion);
    return KubeObject.owning(java.util.Collections.unmodifiableMap(tree));
  }
}
