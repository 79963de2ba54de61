package dev.mooring.model.dependency;

import dev.mooring.languages.InvalidExpression;
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
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code DependencyRule} objects with the validation of their schema. An API server that has
 * the schema lets little that is invalid in; one with an older schema may, and no schema can check
 * an expression. What cannot be read is reported, and never makes a rule protect less: only a rule
 * that does not say what it is about is {@link RuleReading.Invalid}.
 */
public final class DependencyRuleReader {
  private static final Pattern DNS_NAME =
      Pattern.compile("[a-z]([-a-z0-9]*[a-z0-9])?(\\.[a-z]([-a-z0-9]*[a-z0-9])?)*");
  private static final Pattern VERSION = Pattern.compile("v[1-9][0-9]*([a-z]+[1-9][0-9]*)?");
  private static final Pattern KIND = Pattern.compile("[A-Z][A-Za-z0-9]*");
  private static final Pattern RESOURCE = Pattern.compile("[a-z][a-z0-9]*");
  private static final Pattern PATH = Pattern.compile("[a-z][a-z0-9-]*(:[a-z][a-z0-9-]*)*");
  private static final FieldPath OWN_NAME = new FieldPath(".metadata.name");
  private static final int NAME_MAX = 253;
  private static final int WORD_MAX = 63;

  /** Of parts without which nothing can be protected. */
  private final List<String> fatal = new ArrayList<>();

  /** Of parts that are taken to protect as much as they might. */
  private final List<String> problems = new ArrayList<>();

  private DependencyRuleReader() {}

  /** Never throws for anything that an API server could serve. */
  public static RuleReading read(KubeObject object) {
    return new DependencyRuleReader().reading(object);
  }

  static ObjectKey key(KubeObject object) {
    return new ObjectKey(object.logicalCluster().orElse(LogicalCluster.NONE), "", object.name());
  }

  private RuleReading reading(KubeObject object) {
    ObjectKey key = key(object);
    Map<String, Object> spec = object.map("spec");
    Map<String, Object> of = Trees.map(spec, "dependent");
    String export = dependentExport(of);
    String group = dependentGroup(of);
    String version = checked(of, "spec.dependent", "version", VERSION, WORD_MAX);
    String kind = checked(of, "spec.dependent", "kind", KIND, WORD_MAX);
    String resource = checked(of, "spec.dependent", "resource", RESOURCE, WORD_MAX);
    var type = new GroupResource(group, resource.isEmpty() ? "-" : resource);
    var dependencies = new ArrayList<Dependency>();
    List<Object> entries = Trees.list(spec, "dependencies");
    for (int i = 0; i < entries.size(); i++) {
      Dependency dependency =
          dependency(Trees.mapOrEmpty(entries.get(i)), "spec.dependencies[" + i + "]", type);
      if (dependency != null) {
        dependencies.add(dependency);
      }
    }
    if (entries.isEmpty()) {
      fatal.add("spec.dependencies is empty: name at least one dependency");
    } else if (dependencies.isEmpty()) {
      fatal.addAll(problems);
      problems.clear();
    }
    Optional<DependentCondition> when = when(spec.get("when"));
    var enforcement =
        new Enforcement(
            choice(spec, "mode", Mode.DENY, Mode.DENY),
            choice(spec, "whileTerminating", WhileTerminating.BLOCK, WhileTerminating.BLOCK),
            choice(spec, "bypass", Bypass.ANNOTATION, Bypass.REQUIRE_PERMISSION),
            choice(spec, "consistency", Consistency.STRICT, Consistency.STRICT),
            choice(spec, "raceProtection", RaceProtection.NONE, RaceProtection.STRICT));
    if (!fatal.isEmpty()) {
      fatal.addAll(problems);
      return new RuleReading.Invalid(key, object.generation(), fatal);
    }
    var dependent = new Dependent(export, new ResourceType(group, version, resource), kind);
    return new RuleReading.Valid(
        new DependencyRule(
            key, object.generation(), dependent, dependencies, when, enforcement, problems));
  }

  /** Null if it does not say what it protects; the other dependencies count all the same. */
  private @Nullable Dependency dependency(
      Map<String, Object> of, String at, GroupResource dependent) {
    int before = problems.size();
    Map<String, Object> exportRef = Trees.map(of, "apiExportRef");
    String path = word(exportRef, at + ".apiExportRef", "path", PATH, NAME_MAX, problems);
    String export = word(exportRef, at + ".apiExportRef", "name", DNS_NAME, NAME_MAX, problems);
    String group = word(of, at, "group", DNS_NAME, NAME_MAX, problems);
    String version = word(of, at, "version", VERSION, WORD_MAX, problems);
    String resource = word(of, at, "resource", RESOURCE, WORD_MAX, problems);
    boolean named = problems.size() == before;
    ReferenceField field =
        ReferenceFieldReader.read(Trees.map(of, "fieldRef"), at + ".fieldRef", problems);
    if (!named) {
      return null;
    }
    if (new GroupResource(group, resource).equals(dependent) && isOwnName(field)) {
      problems.add(at + ".fieldRef.path: an object cannot depend on itself by its own name");
      return null;
    }
    try {
      return new Dependency(
          new ExportReference(new WorkspacePath(path), export),
          new ResourceType(group, version, resource),
          field,
          Boolean.TRUE.equals(of.get("requireTarget")));
    } catch (IllegalArgumentException e) {
      // The schema's pattern lets a segment end with a hyphen; no workspace can be called so.
      problems.add(at + ".apiExportRef.path: " + e.getMessage());
      return null;
    }
  }

  private static boolean isOwnName(ReferenceField field) {
    return field instanceof ReferenceField.AtPath(var path, _, _)
        && path.steps().equals(OWN_NAME.steps());
  }

  private Optional<DependentCondition> when(@Nullable Object value) {
    if (value == null) {
      return Optional.empty();
    }
    if (!(value instanceof String source)) {
      problems.add("spec.when is not a text");
      return Optional.empty();
    }
    try {
      return Optional.of(DependentCondition.compile(source));
    } catch (InvalidExpression e) {
      problems.add("spec.when: " + e.getMessage());
      return Optional.empty();
    }
  }

  /** A word that is not known may be meant to be strict. */
  private <E extends Enum<E> & Named> E choice(
      Map<String, Object> spec, String field, E ordinary, E strictest) {
    Object value = spec.get(field);
    if (value == null) {
      return ordinary;
    }
    Class<E> choices = ordinary.getDeclaringClass();
    Optional<E> chosen =
        value instanceof String text ? Named.parse(choices, text) : Optional.empty();
    if (chosen.isEmpty()) {
      problems.add(
          "spec.%s is none of %s; it counts as %s"
              .formatted(field, Named.all(choices), strictest.text()));
    }
    return chosen.orElse(strictest);
  }

  /**
   * Older rules of the Go program have a reference in place of the name. Its path is not read: a
   * rule speaks for exports of its own workspace only.
   */
  private String dependentExport(Map<String, Object> of) {
    Map<String, Object> older = Trees.map(of, "apiExportRef");
    if (of.get("apiExportName") == null && !older.isEmpty()) {
      return checked(older, "spec.dependent.apiExportRef", "name", DNS_NAME, NAME_MAX);
    }
    String name = checked(of, "spec.dependent", "apiExportName", DNS_NAME, NAME_MAX);
    if (older.get("name") instanceof String other && !name.isEmpty() && !other.equals(name)) {
      fatal.add(
          "spec.dependent.apiExportName is \"%s\", but spec.dependent.apiExportRef.name is \"%s\""
              .formatted(name, other));
    }
    return name;
  }

  /** The core group is written as an empty string; leaving the group out is a mistake. */
  private String dependentGroup(Map<String, Object> of) {
    return "".equals(of.get("group"))
        ? ""
        : checked(of, "spec.dependent", "group", DNS_NAME, NAME_MAX);
  }

  private String checked(
      Map<String, Object> in, String at, String field, Pattern pattern, int lengthMax) {
    return word(in, at, field, pattern, lengthMax, fatal);
  }

  private static String word(
      Map<String, Object> in,
      String at,
      String field,
      Pattern pattern,
      int lengthMax,
      List<String> wrong) {
    if (!(in.get(field) instanceof String text)) {
      wrong.add(at + "." + field + " is missing");
      return "";
    }
    if (text.length() > lengthMax) {
      wrong.add(at + "." + field + " is longer than " + lengthMax + " characters");
    } else if (!pattern.matcher(text).matches()) {
      wrong.add(at + "." + field + ": \"" + text + "\" does not match ^" + pattern + "$");
    }
    return text;
  }
}
