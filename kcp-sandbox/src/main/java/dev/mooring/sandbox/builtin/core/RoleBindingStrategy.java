package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Role bindings: subjects and role are named in full, and the role never changes. */
public final class RoleBindingStrategy extends RoleStrategy {
  private static final String GROUP = "rbac.authorization.k8s.io";

  @Override
  public KubeObject applyDefaults(KubeObject object) {
    KubeObject bound =
        object.text("roleRef", "apiGroup").isEmpty()
            ? object.with(GROUP, "roleRef", "apiGroup")
            : object;
    if (bound.list("subjects").isEmpty()) {
      return bound;
    }
    return bound.with(
        bound.list("subjects").stream().map(RoleBindingStrategy::named).toList(), "subjects");
  }

  private static Object named(Object subject) {
    String kind = Trees.text(subject, "kind");
    boolean lacksGroup = Trees.text(subject, "apiGroup").isEmpty();
    if (!lacksGroup || !(kind.equals("User") || kind.equals("Group"))) {
      return subject;
    }
    Map<String, Object> named = new LinkedHashMap<>(Trees.mapOrEmpty(subject));
    named.put("apiGroup", GROUP);
    return named;
  }

  @Override
  public List<FieldError> validateCreate(KubeObject object, WriteContext context) {
    var errors = new ArrayList<FieldError>();
    String kind = object.text("roleRef", "kind");
    List<String> kinds =
        object.namespace().isEmpty() ? List.of("ClusterRole") : List.of("Role", "ClusterRole");
    if (!kinds.contains(kind)) {
      errors.add(FieldError.notSupported("roleRef.kind", kind, kinds));
    }
    if (object.text("roleRef", "name").isEmpty()) {
      errors.add(FieldError.required("roleRef.name", ""));
    }
    List<Object> subjects = object.list("subjects");
    for (int i = 0; i < subjects.size(); i++) {
      subject(subjects.get(i), "subjects[" + i + "]", errors);
    }
    return errors;
  }

  private static void subject(Object subject, String path, List<FieldError> errors) {
    if (Trees.text(subject, "name").isEmpty()) {
      errors.add(FieldError.required(path + ".name", ""));
    }
    String kind = Trees.text(subject, "kind");
    if (!List.of("ServiceAccount", "User", "Group").contains(kind)) {
      errors.add(
          FieldError.notSupported(
              path + ".kind", kind, List.of("ServiceAccount", "User", "Group")));
    }
    if (kind.equals("ServiceAccount") && Trees.text(subject, "namespace").isEmpty()) {
      errors.add(FieldError.required(path + ".namespace", ""));
    }
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    var errors = new ArrayList<>(validateCreate(updated, context));
    if (!updated.map("roleRef").equals(current.map("roleRef"))) {
      errors.add(FieldError.invalid("roleRef", updated.map("roleRef"), "cannot change roleRef"));
    }
    return errors;
  }
}
