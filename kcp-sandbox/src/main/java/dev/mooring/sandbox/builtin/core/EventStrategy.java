package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceStrategy;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.ArrayList;
import java.util.List;

/** Events of either version: about an object of their own namespace; the newer one in full. */
public record EventStrategy(EventVersion version) implements ResourceStrategy {
  @Override
  public PutRules putRules() {
    return new PutRules(true, true);
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new ArrayList<FieldError>();
    String about = version.subjectField();
    String namespace = object.text(about, "namespace");
    boolean clusterScoped = namespace.isEmpty() && object.namespace().equals("default");
    if (!clusterScoped && !namespace.equals(object.namespace())) {
      errors.add(
          FieldError.invalid(
              "involvedObject.namespace", namespace, "does not match event.namespace"));
    }
    if (version == EventVersion.EVENTS && object.at("deprecatedCount") == null) {
      if (object.text("eventTime").isEmpty()) {
        errors.add(FieldError.required("eventTime", ""));
      }
      for (String field : List.of("reportingController", "reportingInstance", "action", "reason")) {
        if (object.text(field).isEmpty()) {
          errors.add(FieldError.required(field, ""));
        }
      }
    }
    return errors;
  }

  /** A changed event is not checked. */
  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    return List.of();
  }
}
