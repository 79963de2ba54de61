package dev.mooring.model.dependency;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.FieldStep;
import dev.mooring.languages.cel.CelExpression;
import dev.mooring.languages.cel.CelValues;
import dev.mooring.model.object.KubeObject;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** How a dependent says what it refers to: {@code fieldRef} of a rule. */
public sealed interface ReferenceField {
  /** As the author wrote it, for messages and for a stable order. */
  String text();

  /** Where targets may be. */
  Reach reach();

  /** Whether what it finds may depend on this field at the top of the dependent. */
  boolean mayRead(String field);

  /** Never throws. */
  References in(KubeObject dependent);

  /** Where the targets of a namespaced dependent may be. */
  enum Reach {
    /** In the dependent's own namespace, or outside of namespaces. */
    OWN_NAMESPACE,
    ANY_NAMESPACE
  }

  /**
   * Names at a path.
   *
   * @param namespacePath where the namespace stands; where nothing stands there, the dependent's
   *     own is meant
   * @param match fields next to the name, in the same map, that must have these values for the name
   *     to count; an empty value also matches a missing field
   */
  record AtPath(FieldPath path, Optional<FieldPath> namespacePath, SortedMap<String, String> match)
      implements ReferenceField {
    public AtPath {
      match = Collections.unmodifiableSortedMap(new TreeMap<>(match));
      if (namespacePath.isPresent() && !namespacePath.get().sharesListsWith(path)) {
        throw new IllegalArgumentException(
            ("\"%s\" goes through lists that \"%s\" does not go through, so names and namespaces"
                    + " cannot be paired")
                .formatted(namespacePath.get(), path));
      }
      if (!match.isEmpty() && path.steps().getLast() instanceof FieldStep.Each) {
        throw new IllegalArgumentException(
            "the items of \"" + path + "\" have no fields next to them that could match");
      }
    }

    /** Names at a path, in the dependent's own namespace. */
    public AtPath(FieldPath path) {
      this(path, Optional.empty(), Collections.emptySortedMap());
    }

    @Override
    public String text() {
      return path.text();
    }

    @Override
    public Reach reach() {
      return namespacePath.isPresent() ? Reach.ANY_NAMESPACE : Reach.OWN_NAMESPACE;
    }

    @Override
    public boolean mayRead(String field) {
      return path.startsWith(field) || namespacePath.filter(p -> p.startsWith(field)).isPresent();
    }

    @Override
    public References in(KubeObject dependent) {
      var references = new TreeSet<Reference>();
      for (FieldPath.Found found : path.in(dependent)) {
        if (found.value() instanceof String name && !name.isEmpty() && matches(found.holder())) {
          references.add(new Reference(namespace(dependent, found), name));
        }
      }
      return references.isEmpty() ? References.Known.NONE : new References.Known(references);
    }

    private boolean matches(Map<String, Object> holder) {
      return match.entrySet().stream()
          .allMatch(wanted -> {
            Object held = holder.get(wanted.getKey());
            return held == null ? wanted.getValue().isEmpty() : held.equals(wanted.getValue());
          });
    }

    private String namespace(KubeObject dependent, FieldPath.Found found) {
      String named = namespacePath.map(p -> p.textIn(dependent, found.items())).orElse("");
      return named.isEmpty() ? dependent.namespace() : named;
    }
  }

  /**
   * What a CEL expression over {@code object}, the dependent, yields: a name, a map with {@code
   * name} and perhaps {@code namespace}, or a list of these. Null and empty names are nothing. What
   * cannot be evaluated, or yields something else, is undecidable: an expression has to say {@code
   * has(object.spec.vpc)} where a field may be missing.
   */
  record Computed(CelExpression expression) implements ReferenceField {
    /** The dependent, in expressions. */
    static final String VARIABLE = "object";

    /** More references than a target could be looked up for come from a mistake. */
    static final int REFERENCES_MAX = 10_000;

    /** Throws {@link dev.mooring.languages.InvalidExpression}. */
    public static Computed compile(String source) {
      return new Computed(
          CelExpression.compile(source, Set.of(VARIABLE)).yielding("string", "map", "list"));
    }

    @Override
    public String text() {
      return expression.toString();
    }

    @Override
    public Reach reach() {
      return Reach.ANY_NAMESPACE;
    }

    @Override
    public boolean mayRead(String field) {
      return expression.mayRead(VARIABLE, field);
    }

    @Override
    public References in(KubeObject dependent) {
      Object result;
      try {
        result = expression.evaluate(Map.of(VARIABLE, CelValues.of(dependent.tree())));
      } catch (ExpressionFailure failure) {
        return new References.Undecidable(String.valueOf(failure.getMessage()));
      }
      List<?> items =
          result instanceof List<?> list ? list : result == null ? List.of() : List.of(result);
      if (items.size() > REFERENCES_MAX) {
        return new References.Undecidable("it yields more than " + REFERENCES_MAX + " references");
      }
      var references = new TreeSet<Reference>();
      for (Object item : items) {
        switch (item) {
          case null -> {}
          case String name -> add(references, dependent.namespace(), name);
          case Map<?, ?> map when textOrNull(map.get("name")) && textOrNull(map.get("namespace")) ->
              add(references, namespace(map, dependent), map.get("name"));
          default -> {
            return new References.Undecidable(
                "it yields something that is neither a name nor a map with a name");
          }
        }
      }
      return new References.Known(references);
    }

    private static boolean textOrNull(@Nullable Object value) {
      return value == null || value instanceof String;
    }

    private static String namespace(Map<?, ?> map, KubeObject dependent) {
      return map.get("namespace") instanceof String named && !named.isEmpty()
          ? named
          : dependent.namespace();
    }

    private static void add(Set<Reference> references, String namespace, @Nullable Object name) {
      if (name instanceof String text && !text.isEmpty()) {
        references.add(new Reference(namespace, text));
      }
    }
  }

  /**
   * The field cannot be parsed. Until it is fixed, every dependent may refer to every target.
   *
   * @param problem what is wrong with it
   */
  record Unreadable(String text, String problem) implements ReferenceField {

    @Override
    public Reach reach() {
      return Reach.ANY_NAMESPACE;
    }

    @Override
    public boolean mayRead(String field) {
      return true;
    }

    @Override
    public References in(KubeObject dependent) {
      return new References.Undecidable(problem);
    }
  }
}
