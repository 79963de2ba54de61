package dev.mooring.model.dependency;

import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.DependencyRule.Dependent;
import dev.mooring.model.dependency.DependencyRule.ExportReference;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads {@code DependencyRule} objects with the validation of their schema. An API server that has
 * the schema lets nothing invalid in; one with an older schema may, and then it is reported here.
 */
public final class DependencyRuleReader {
  private static final Pattern DNS_NAME =
      Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?(\\.[a-z]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern VERSION = Pattern.compile("v[1-9][0-9]*([a-z]+[1-9][0-9]*)?");
  private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]*");
  private static final Pattern RESOURCE = Pattern.compile("[a-z][a-z0-9]*");
  private static final Pattern PATH = Pattern.compile("[a-z][a-z0-9-]*(:[a-z][a-z0-9-]*)*");
  private static final int NAME_MAX = 253;
  private static final int WORD_MAX = 63;

  private final List<String> problems = new ArrayList<>();

  private DependencyRuleReader() {}

  /** Never throws for anything that an API server could serve. */
  public static RuleReading read(KubeObject object) {
    return new DependencyRuleReader().reading(object);
  }

  private RuleReading reading(KubeObject object) {
    var key = new ObjectKey(object.logicalCluster().orElse(LogicalCluster.NONE), "", object.name());
    Map<String, Object> spec = object.map("spec");
    Map<String, Object> of = Trees.mapOrEmpty(spec.get("dependent"));
    String export = checked(of, "spec.dependent", "apiExportName", DNS_NAME, NAME_MAX);
    String group = dependentGroup(of);
    String version = checked(of, "spec.dependent", "version", VERSION, WORD_MAX);
    String kind = checked(of, "spec.dependent", "kind", KIND, WORD_MAX);
    String resource = checked(of, "spec.dependent", "resource", RESOURCE, WORD_MAX);
    var dependencies = new ArrayList<Dependency>();
    List<Object> entries = Trees.listOrEmpty(spec.get("dependencies"));
    for (int i = 0; i < entries.size(); i++) {
      Dependency dependency =
          dependency(Trees.mapOrEmpty(entries.get(i)), "spec.dependencies[" + i + "]");
      if (dependency != null) {
        dependencies.add(dependency);
      }
    }
    if (entries.isEmpty()) {
      problems.add("spec.dependencies is empty: name at least one dependency");
    }
    if (!problems.isEmpty()) {
      return new RuleReading.Invalid(key, object.generation(), problems);
    }
    var dependent = new Dependent(export, new ResourceType(group, version, resource), kind);
    return new RuleReading.Valid(
        new DependencyRule(key, object.generation(), dependent, dependencies));
  }

  /** Null if anything is wrong with it, which then stands in {@link #problems}. */
  private Dependency dependency(Map<String, Object> of, String at) {
    int before = problems.size();
    Map<String, Object> exportRef = Trees.mapOrEmpty(of.get("apiExportRef"));
    String path = checked(exportRef, at + ".apiExportRef", "path", PATH, NAME_MAX);
    String export = checked(exportRef, at + ".apiExportRef", "name", DNS_NAME, NAME_MAX);
    String group = checked(of, at, "group", DNS_NAME, NAME_MAX);
    String version = checked(of, at, "version", VERSION, WORD_MAX);
    String resource = checked(of, at, "resource", RESOURCE, WORD_MAX);
    String field =
        checked(
            Trees.mapOrEmpty(of.get("fieldRef")),
            at + ".fieldRef",
            "path",
            FieldPath.PATTERN,
            FieldPath.LENGTH_MAX);
    if (problems.size() > before) {
      return null;
    }
    try {
      return new Dependency(
          new ExportReference(new WorkspacePath(path), export),
          new ResourceType(group, version, resource),
          new FieldPath(field));
    } catch (IllegalArgumentException e) {
      // The schema's pattern lets a segment end with a hyphen; no workspace can be called so.
      problems.add(at + ".apiExportRef.path: " + e.getMessage());
      return null;
    }
  }

  /** The core group is written as an empty string; leaving the group out is a mistake. */
  private String dependentGroup(Map<String, Object> of) {
    return "".equals(of.get("group"))
        ? ""
        : checked(of, "spec.dependent", "group", DNS_NAME, NAME_MAX);
  }

  private String checked(
      Map<String, Object> in, String at, String field, Pattern pattern, int lengthMax) {
    if (!(in.get(field) instanceof String text)) {
      problems.add(at + "." + field + " is missing");
      return "";
    }
    if (text.length() > lengthMax) {
      problems.add(at + "." + field + " is longer than " + lengthMax + " characters");
    } else if (!pattern.matcher(text).matches()) {
      problems.add(at + "." + field + ": \"" + text + "\" does not match ^" + pattern + "$");
    }
    return text;
  }
}
