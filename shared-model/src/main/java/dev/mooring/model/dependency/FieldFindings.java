package dev.mooring.model.dependency;

import dev.mooring.languages.FieldStep;
import dev.mooring.languages.cel.CelExpression;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.model.schema.FieldLookup;
import dev.mooring.model.schema.ObjectSchema;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Fields that a rule names and its dependents cannot have, by the schema of their version. Until it
 * is corrected such a rule protects more than its author meant, never less: a reference that cannot
 * be found would let every deletion through.
 *
 * @param references problems of {@code fieldRef}, by the position of the dependency
 * @param when the problem of {@code when}
 * @param unchecked fields about which the schema says nothing; one sentence each
 */
public record FieldFindings(
    SortedMap<Integer, String> references, Optional<String> when, List<String> unchecked) {
  public static final FieldFindings NONE =
      new FieldFindings(new TreeMap<>(), Optional.empty(), List.of());

  /** Reason of {@code Accepted}, and state of a dependency. */
  public static final String NOT_IN_SCHEMA = "FieldNotInSchema";

  private static final String WHEN = "spec.when";
  private static final List<String> FLAG = List.of("boolean");
  private static final List<String> TEXT = List.of("string", ObjectSchema.INT_OR_STRING);
  private static final List<String> REFERENCE =
      List.of("string", ObjectSchema.INT_OR_STRING, "object", "array");

  public FieldFindings {
    references = Collections.unmodifiableSortedMap(new TreeMap<>(references));
    unchecked = List.copyOf(unchecked);
  }

  /**
   * @param schema of the dependents, in the version that the rule names
   */
  public static FieldFindings of(DependencyRule rule, ObjectSchema schema) {
    var check = new Check(schema);
    var references = new TreeMap<Integer, String>();
    for (int i = 0; i < rule.dependencies().size(); i++) {
      String at = "spec.dependencies[" + i + "].fieldRef";
      List<String> problems = check.reference(at, rule.dependencies().get(i).field());
      if (!problems.isEmpty()) {
        references.put(i, String.join("; ", problems));
      }
    }
    List<String> when =
        rule.when().map(c -> check.expression(WHEN, c.expression(), FLAG)).orElse(List.of());
    return new FieldFindings(
        references, when.stream().reduce((a, b) -> a + "; " + b), List.copyOf(check.unchecked));
  }

  /** As the rule's status has them; none from before an edit. */
  public static FieldFindings reportedBy(KubeObject rule) {
    if (rule.generation() != observedGeneration(rule)) {
      return NONE;
    }
    var references = new TreeMap<Integer, String>();
    List<Object> states = rule.list("status", "dependencies");
    for (int i = 0; i < states.size(); i++) {
      if (NOT_IN_SCHEMA.equals(Trees.at(states.get(i), "state"))) {
        references.put(i, Trees.text(states.get(i), "message"));
      }
    }
    Optional<String> accepted =
        rule.list("status", "conditions").stream()
            .filter(condition -> Trees.text(condition, "type").equals("Accepted"))
            .filter(condition -> Trees.text(condition, "reason").equals(NOT_IN_SCHEMA))
            .map(condition -> Trees.text(condition, "message"))
            .filter(message -> message.contains(WHEN))
            .findFirst();
    return new FieldFindings(references, accepted, List.of());
  }

  private static long observedGeneration(KubeObject rule) {
    return rule.at("status", "observedGeneration") instanceof Long generation ? generation : -1;
  }

  /** One sentence each, which begins with the field. */
  public List<String> problems() {
    return Stream.concat(references.values().stream(), when.stream()).toList();
  }

  /** The rule with fields that match everything in place of those that match nothing. */
  DependencyRule applyTo(DependencyRule rule) {
    if (problems().isEmpty()) {
      return rule;
    }
    var dependencies = new ArrayList<Dependency>();
    for (int i = 0; i < rule.dependencies().size(); i++) {
      Dependency dependency = rule.dependencies().get(i);
      String problem = references.get(i);
      dependencies.add(
          problem == null
              ? dependency
              : new Dependency(
                  dependency.export(),
                  dependency.target(),
                  new ReferenceField.Unreadable(dependency.field().text(), problem),
                  dependency.requiresTarget()));
    }
    return new DependencyRule(
        rule.key(),
        rule.generation(),
        rule.dependent(),
        dependencies,
        when.isPresent() ? Optional.empty() : rule.when(),
        rule.enforcement(),
        Stream.concat(rule.problems().stream(), problems().stream()).distinct().toList());
  }

  /** Looks fields up in one schema. */
  private record Check(ObjectSchema schema, Set<String> unchecked) {
    private Check(ObjectSchema schema) {
      this(schema, new LinkedHashSet<>());
    }

    private List<String> reference(String at, ReferenceField field) {
      return switch (field) {
        case ReferenceField.Unreadable(_, _) -> List.of();
        case ReferenceField.Computed(var expression) ->
            expression(at + ".expression", expression, REFERENCE);
        case ReferenceField.AtPath(var path, var namespace, var match) ->
            Stream.of(
                    typed(at + ".path", path.steps(), TEXT).stream(),
                    namespace.stream()
                        .flatMap(p -> typed(at + ".namespacePath", p.steps(), TEXT).stream()),
                    match.entrySet().stream()
                        .filter(wanted -> !wanted.getValue().isEmpty())
                        .flatMap(wanted ->
                            sibling(at + ".match.", path, wanted.getKey(), wanted.getValue())
                                .stream()))
                .flatMap(problems -> problems)
                .toList();
      };
    }

    private Optional<String> typed(String at, List<FieldStep> path, List<String> types) {
      return problem(at, path)
          .or(() ->
              schema.find(path) instanceof FieldLookup.Known known && !known.mayBe(types)
                  ? Optional.of(at + " is of type " + known.type() + ", not " + types.getFirst())
                  : Optional.empty());
    }

    private Optional<String> sibling(String of, FieldPath path, String key, String value) {
      String at = of + key;
      var next = new ArrayList<>(path.steps().subList(0, path.steps().size() - 1));
      next.add(new FieldStep.Field(key));
      return problem(at, next)
          .or(() ->
              schema.find(next) instanceof FieldLookup.Known(_, var values)
                      && !values.isEmpty()
                      && !values.contains(value)
                  ? Optional.of(at + ": \"" + value + "\" is none of " + values)
                  : Optional.empty());
    }

    private List<String> expression(String at, CelExpression expression, List<String> types) {
      Set<List<FieldStep>> fields = expression.fields(ReferenceField.Computed.VARIABLE);
      // A field as it is, behind those that lead to it.
      return expression.toString().matches("object([.]\\w+)+")
          ? typed(at, List.copyOf(fields).getLast(), types).stream().toList()
          : fields.stream().flatMap(path -> problem(at, path).stream()).distinct().toList();
    }

    private Optional<String> problem(String at, Collection<FieldStep> path) {
      return switch (schema.find(List.copyOf(path))) {
        case FieldLookup.Missing(var problem) -> Optional.of(at + ": " + problem);
        case FieldLookup.Unchecked(var why) -> {
          unchecked.add(at + ": " + why);
          yield Optional.empty();
        }
        case FieldLookup.Known _ -> Optional.empty();
      };
    }
  }
}
