package dev.mooring.sandbox.builtin.core;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.WriteContext;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.FieldErrors;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Role bindings: subjects and role are named in full, and the role never changes. */
public final class RoleBindingStrategy extends RbacStrategy {
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
    var errors = new FieldErrors();
    boolean namespaced = !object.namespace().isEmpty();
    String group = object.text("roleRef", "apiGroup");
    if (!group.equals(GROUP)) {
      errors.notSupported("roleRef.apiGroup", group, List.of(GROUP));
    }
    String kind = object.text("roleRef", "kind");
    List<String> kinds = namespaced ? List.of("Role", "ClusterRole") : List.of("ClusterRole");
    if (!kinds.contains(kind)) {
      errors.notSupported("roleRef.kind", kind, kinds);
    }
    String name = object.text("roleRef", "name");
    if (name.isEmpty()) {
      errors.required("roleRef.name", "");
    }
    NameRules.pathSegment(name).forEach(text -> errors.invalid("roleRef.name", name, text));
    List<Object> subjects = object.list("subjects");
    for (int i = 0; i < subjects.size(); i++) {
      subject(subjects.get(i), namespaced, "subjects[" + i + "]", errors);
    }
    return errors;
  }

  private static void subject(Object subject, boolean namespaced, String path, FieldErrors errors) {
    String name = Trees.text(subject, "name");
    if (name.isEmpty()) {
      errors.required(path + ".name", "");
    }
    String kind = Trees.text(subject, "kind");
    String group = Trees.text(subject, "apiGroup");
    switch (kind) {
      case "ServiceAccount" -> {
        if (!name.isEmpty()) {
          NameRules.subdomain(name).forEach(text -> errors.invalid(path + ".name", name, text));
        }
        requireGroup(group, "", path, errors);
        if (!namespaced && Trees.text(subject, "namespace").isEmpty()) {
          errors.required(path + ".namespace", "");
        }
      }
      case "User", "Group" -> requireGroup(group, GROUP, path, errors);
      default ->
          errors.notSupported(path + ".kind", kind, List.of("ServiceAccount", "User", "Group"));
    }
  }

  private static void requireGroup(String group, String wanted, String path, FieldErrors errors) {
    if (!group.equals(wanted)) {
      errors.notSupported(path + ".apiGroup", group, List.of(wanted));
    }
  }

  @Override
  public List<FieldError> validateUpdate(
      KubeObject updated, KubeObject current, WriteContext context) {
    var errors = new FieldErrors(validateCreate(updated, context));
    if (!updated.map("roleRef").equals(current.map("roleRef"))) {
      errors.invalid("roleRef", updated.at("roleRef"), "cannot change roleRef");
    }
    return errors;
  }
}
