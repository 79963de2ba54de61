package dev.mooring.sandbox.security.rbac;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The roles and bindings that are there from the start: {@code cluster-admin}, {@code admin},
 * {@code edit}, {@code view}, discovery, and in kcp those of its system groups.
 */
public final class BootstrapPolicy {
  private static final String GROUP = "rbac.authorization.k8s.io";

  private BootstrapPolicy() {}

  /** Of a plain Kubernetes server. */
  public static Policy kubernetes() {
    return Policy.compile(objects("common"), null);
  }

  public static Policy kcp() {
    return Policy.compile(objects("common", "kcp"), null);
  }

  private static RbacObjects objects(String... sections) {
    Map<String, Object> document =
        YamlText.resource(BootstrapPolicy.class, "bootstrap-policy.yaml");
    var roles = new ArrayList<KubeObject>();
    var bindings = new ArrayList<KubeObject>();
    for (String section : sections) {
      Object content = document.get(section);
      Trees.map(content, "roles").forEach((name, role) -> roles.add(role(name, role)));
      Trees.map(content, "groupBindings")
          .forEach((role, groups) -> bindings.add(binding(section, role, groups)));
    }
    return new RbacObjects(roles, bindings, List.of(), List.of());
  }

  private static KubeObject role(String name, Object tree) {
    KubeObject role =
        KubeObject.of(
            Map.of(
                "metadata", Map.of("name", name),
                "rules", Trees.list(tree, "rules").stream().map(BootstrapPolicy::sorted).toList()));
    if (Trees.at(tree, "label") instanceof String label) {
      role = role.with(Map.of(label, "true"), "metadata", "labels");
    }
    if (Trees.at(tree, "aggregate") instanceof String label) {
      role =
          role.with(
              List.of(Map.of("matchLabels", Map.of(label, "true"))),
              "aggregationRule",
              "clusterRoleSelectors");
    }
    return role;
  }

  /** As Kubernetes has the lists of its own rules. */
  private static Map<String, Object> sorted(Object rule) {
    var sorted = new LinkedHashMap<String, Object>();
    Trees.mapOrEmpty(rule)
        .forEach(
            (field, texts) -> sorted.put(field, Trees.texts(texts).stream().sorted().toList()));
    return sorted;
  }

  private static KubeObject binding(String section, String role, Object groups) {
    Stream<Map<String, String>> subjects =
        Trees.listOrEmpty(groups).stream()
            .map(group -> Map.of("kind", "Group", "apiGroup", GROUP, "name", (String) group));
    return KubeObject.of(
        Map.of(
            "metadata", Map.of("name", section + ":" + role),
            "roleRef", Map.of("apiGroup", GROUP, "kind", "ClusterRole", "name", role),
            "subjects", subjects.toList()));
  }
}
