package dev.mooring.sandbox.admission.match;

import com.google.common.cache.CacheBuilder;
import com.google.common.cache.CacheLoader;
import com.google.common.cache.LoadingCache;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import java.util.Map;
import java.util.function.Supplier;

/**
 * An expression that is compiled at its first evaluation, and once for all policies that share its
 * text and environment. One that does not compile has no value. Thread-safe.
 */
public final class LazyExpression {
  private static final LoadingCache<Key, Supplier<CelExpression>> COMPILED =
      CacheBuilder.newBuilder().maximumSize(10_000).build(CacheLoader.from(Key::compile));

  private final Key key;

  private record Key(String source, CelEnvironment environment, CelExpression.Result wanted) {
    private Supplier<CelExpression> compile() {
      return CelExpression.attempt(() -> CelExpression.compile(source, environment, wanted));
    }
  }

  public LazyExpression(String source, CelEnvironment environment, CelExpression.Result wanted) {
    this.key = new Key(source, environment, wanted);
  }

  public String source() {
    return key.source();
  }

  /** Throws {@link InvalidExpression}. */
  public CelExpression compiled() {
    return COMPILED.getUnchecked(key).get();
  }

  /** Throws {@link EvaluationFailed} that names the expression. */
  public Object evaluate(Map<String, ?> values) {
    try {
      return compiled().evaluate(values);
    } catch (InvalidExpression e) {
      throw new EvaluationFailed(String.valueOf(e.getMessage()));
    } catch (EvaluationFailed e) {
      throw new EvaluationFailed(
          "expression '%s' resulted in error: %s".formatted(source(), e.getMessage()));
    }
  }

  /** As {@link #evaluate}, but the failure does not name the expression. */
  public Object evaluateUnnamed(Map<String, ?> values) {
    return compiled().evaluate(values);
  }
}
