package dev.mooring.model.dependency;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.cel.CelExpression;
import dev.mooring.languages.cel.CelValues;
import dev.mooring.model.object.KubeObject;
import java.util.Map;
import java.util.Set;

/**
 * {@code when} of a rule: a CEL expression over {@code object} that says whether a dependent counts
 * at all. One that cannot be evaluated, or is anything but false, lets it count.
 */
public record DependentCondition(CelExpression expression) {
  /** Throws {@link dev.mooring.languages.InvalidExpression}. */
  public static DependentCondition compile(String source) {
    return new DependentCondition(
        CelExpression.compile(source, Set.of(ReferenceField.Computed.VARIABLE)).yielding("bool"));
  }

  /** Whether its value may depend on this field of the dependent. */
  boolean mayRead(String field) {
    return expression.mayRead(ReferenceField.Computed.VARIABLE, field);
  }

  /** Never throws. */
  public boolean counts(KubeObject dependent) {
    try {
      return !Boolean.FALSE.equals(
          expression.evaluate(
              Map.of(ReferenceField.Computed.VARIABLE, CelValues.of(dependent.tree()))));
    } catch (ExpressionFailure undecidable) {
      return true;
    }
  }
}
