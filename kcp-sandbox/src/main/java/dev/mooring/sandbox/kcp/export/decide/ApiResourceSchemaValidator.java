package dev.mooring.sandbox.kcp.export.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What kcp asks of an APIResourceSchema beyond its own schema: its name, its names, one storage.
 */
public final class ApiResourceSchemaValidator {
  private static final Pattern PREFIX = Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?");
  private static final Pattern DOMAIN =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

  /** Groups of Kubernetes that have no dot in their name. */
  private static final Set<String> ONE_WORD_GROUPS =
      Set.of("apps", "batch", "extensions", "policy", "autoscaling");

  private ApiResourceSchemaValidator() {}

  /** Violations in kcp's words, in its order; empty if there is none. */
  public static List<String> violations(KubeObject schema) {
    var violations = new ArrayList<String>();
    name(schema, violations);
    group(schema.text("spec", "group"), violations);
    versions(schema, violations);
    for (String field : List.of("plural", "singular", "kind", "listKind")) {
      if (schema.text("spec", "names", field).isEmpty()) {
        violations.add("spec.names." + field + ": Required value");
      }
    }
    return violations;
  }

  /** As {@link #violations}, for a change: labels and annotations may change, the spec may not. */
  public static List<String> violationsOfChange(KubeObject before, KubeObject after) {
    return before.map("spec").equals(after.map("spec"))
        ? List.of()
        : List.of("spec: Invalid value: " + describe(after) + ": is immutable");
  }

  private static String describe(KubeObject schema) {
    return "\"%s/%s\""
        .formatted(schema.text("spec", "group"), schema.text("spec", "names", "plural"));
  }

  private static void name(KubeObject schema, List<String> violations) {
    String plural = schema.text("spec", "names", "plural");
    if (plural.isEmpty()) {
      return;
    }
    String group = schema.text("spec", "group");
    String suffix = "." + plural + "." + (group.isEmpty() ? "core" : group);
    String name = schema.name();
    if (!name.endsWith(suffix)) {
      violations.add("metadata.name: Invalid value: \"" + name + "\": must end in " + suffix);
    } else if (!PREFIX.matcher(name.substring(0, name.length() - suffix.length())).matches()) {
      violations.add(
          ("metadata.name: Invalid value: \"%s\": must match ^[a-z]([-a-z0-9]*[a-z0-9])?$"
                  + " in front of %s")
              .formatted(name, suffix));
    }
  }

  private static void group(String group, List<String> violations) {
    String field = "spec.group: Invalid value: \"" + group + "\": ";
    if (group.equals("core")) {
      violations.add(field + "must be empty string for the core group");
    } else if (!group.isEmpty() && !DOMAIN.matcher(group).matches()) {
      violations.add(field + "a lowercase RFC 1123 subdomain is required");
    } else if (!group.isEmpty() && !group.contains(".") && !ONE_WORD_GROUPS.contains(group)) {
      violations.add(field + "should be a domain with at least one dot");
    }
  }

  private static void versions(KubeObject schema, List<String> violations) {
    Set<Object> names = new HashSet<>();
    long stored = 0;
    List<Object> versions = schema.list("spec", "versions");
    for (Object version : versions) {
      names.add(Trees.at(version, "name"));
      if (Boolean.TRUE.equals(Trees.at(version, "storage"))) {
        stored++;
      }
    }
    if (names.size() != versions.size()) {
      violations.add("spec.versions: Invalid value: must contain unique version names");
    }
    if (stored != 1) {
      violations.add(
          "spec.versions: Invalid value: must have exactly one version marked as storage version");
    }
  }
}
