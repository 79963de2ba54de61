package dev.mooring.sandbox.admission.match;

import com.google.common.base.Suppliers;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * An expression that is compiled at its first evaluation. One that does not compile has no value.
 * Thread-safe.
 */
public final class LazyExpression {
  private final String source;
  private final Supplier<CelExpression> compiled;

  public LazyExpression(String source, Set<String> variables, CelExpression.Result wanted) {
    this.source = source;
    this.compiled = Suppliers.memoize(() -> CelExpression.compile(source, variables, wanted));
  }

  public String source() {
    return source;
  }

  /** Throws {@link EvaluationFailed} that names the expression. */
  public Object evaluate(Map<String, ?> values) {
    try {
      return compiled.get().evaluate(values);
    } catch (InvalidExpression e) {
      throw new EvaluationFailed(
          "expression '%s' does not compile: %s".formatted(source, e.getMessage()));
    } catch (EvaluationFailed e) {
      throw new EvaluationFailed(
          "expression '%s' resulted in error: %s".formatted(source, e.getMessage()));
    }
  }
}
