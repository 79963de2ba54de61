package dev.mooring.sandbox.builtin.core;

import com.google.common.collect.ImmutableBiMap;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.VersionConverter;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Events of either version: about an object of their own namespace, and in full if they have a
 * precise time (Kubernetes' {@code pkg/apis/core/validation/events.go}).
 */
public record EventStrategy(Version version) implements ResourceStrategy {
  /**
   * The two APIs of one resource: {@code v1} events are stored, those of events.k8s.io converted.
   */
  public enum Version {
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

  private static final int TEXT_MAX = 128;
  private static final int NOTE_MAX = 1024;

  @Override
  public PutRules putRules() {
    return new PutRules(true, true);
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    KubeObject event = version.converter().toStorage(object);
    FieldErrors errors = always(event);
    if (version == Version.EVENTS && event.text("eventTime").isEmpty()) {
      errors.required("eventTime", "");
    }
    return errors;
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return always(version.converter().toStorage(updated));
  }

  private FieldErrors always(KubeObject event) {
    var errors = new FieldErrors();
    boolean timed = !event.text("eventTime").isEmpty();
    namespace(event, timed, errors);
    if (timed) {
      String controller = version == Version.CORE ? "reportingComponent" : "reportingController";
      String name = event.text("reportingComponent");
      if (name.isEmpty()) {
        errors.required(controller, "");
      }
      NameRules.qualifiedName(name)
          .forEach(complaint -> errors.invalid(controller, name, complaint));
      for (String field : List.of("reportingInstance", "action", "reason")) {
        if (event.text(field).isEmpty()) {
          errors.required(field, "");
        }
        atMost(TEXT_MAX, event, field, errors);
      }
      atMost(NOTE_MAX, event, "message", errors);
    }
    return errors;
  }

  private static void namespace(KubeObject event, boolean timed, FieldErrors errors) {
    String about = event.text("involvedObject", "namespace");
    String own = event.namespace();
    boolean clusterScoped = about.isEmpty();
    boolean fits =
        clusterScoped
            ? own.equals("default") || timed && own.equals("kube-system")
            : timed || about.equals(own);
    if (!fits) {
      errors.invalid("involvedObject.namespace", about, "does not match event.namespace");
    }
  }

  private static void atMost(int max, KubeObject event, String field, FieldErrors errors) {
    if (event.text(field).length() > max) {
      errors.invalid(field, "", "can have at most " + max + " characters");
    }
  }
}
