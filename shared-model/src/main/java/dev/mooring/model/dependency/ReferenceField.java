package dev.mooring.model.dependency;

import dev.mooring.languages.FieldStep;
import dev.mooring.model.object.KubeObject;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

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

  /** What an expression yields. */
  record Computed(ReferenceExpression expression) implements ReferenceField {

    @Override
    public String text() {
      return expression.source();
    }

    @Override
    public Reach reach() {
      return Reach.ANY_NAMESPACE;
    }

    @Override
    public boolean mayRead(String field) {
      return expression.mayRead(field);
    }

    @Override
    public References in(KubeObject dependent) {
      return expression.references(dependent);
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
