package dev.mooring.model.dependency;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.cel.CelExpression;
import dev.mooring.languages.cel.CelValues;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A CEL expression over {@code object}, the dependent, that yields what it refers to: a name, a map
 * with {@code name} and perhaps {@code namespace}, or a list of these. Null and empty names are
 * nothing. What cannot be evaluated, or yields something else, is undecidable: an expression has to
 * say {@code has(object.spec.vpc)} where a field may be missing.
 */
public record ReferenceExpression(CelExpression expression) {
  static final String VARIABLE = "object";

  /** More references than a target could be looked up for come from a mistake. */
  static final int REFERENCES_MAX = 10_000;

  /** Throws {@link dev.mooring.languages.InvalidExpression}. */
  public static ReferenceExpression compile(String source) {
    return new ReferenceExpression(
        CelExpression.compile(source, Set.of(VARIABLE)).yielding("string", "map", "list"));
  }

  public String source() {
    return expression.toString();
  }

  /** Whether what it yields may depend on this field of the dependent. */
  boolean mayRead(String field) {
    return expression.mayRead(VARIABLE, field);
  }

  /** Never throws. */
  References references(KubeObject dependent) {
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
