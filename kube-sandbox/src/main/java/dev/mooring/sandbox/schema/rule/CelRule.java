package dev.mooring.sandbox.schema.rule;

import com.google.common.base.Suppliers;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.mooring.sandbox.cel.CelEnvironment;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import dev.mooring.sandbox.cel.cost.Range;
import dev.mooring.sandbox.cel.cost.Sizes;
import dev.mooring.sandbox.schema.model.RuleSource;
import dev.mooring.sandbox.schema.model.Structural;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One validation rule, compiled at its first use: schemas of popular operators hold hundreds, of
 * which a typical object touches few. Thread-safe.
 */
public final class CelRule {
  static final String SELF = "self";
  static final String OLD_SELF = "oldSelf";

  /** Longer messages of a rule are not used (apiserver {@code pkg/apis/cel/config.go}). */
  private static final int MESSAGE_MAX = 5 * 1024;

  private final String path;
  private final Structural schema;
  private final RuleSource source;
  private final Scope scope;
  private final Supplier<CelExpression> condition;
  private final Optional<Supplier<CelExpression>> message;

  /**
   * Where rules stand.
   *
   * @param cardinality how often the values can be in an object
   * @param uncorrelatable as {@link CelRule#uncorrelatable}
   */
  record Scope(
      Supplier<CelTypes> types, Sizes sizes, long cardinality, Optional<String> uncorrelatable) {}

  /**
   * @param path where the rule stands in the schema, such as {@code
   *     .properties[spec].x-kubernetes-validations[0]}
   */
  CelRule(String path, Structural schema, RuleSource source, Scope scope) {
    this.path = path;
    this.schema = schema;
    this.source = source;
    this.scope = scope;
    this.condition = once(source.rule(), CelExpression.Result.CONDITION);
    this.message =
        Optional.of(source.messageExpression())
            .filter(text -> !text.isBlank())
            .map(text -> once(text, CelExpression.Result.MESSAGE));
  }

  /** Compiles at the first use, and never again though it fails. */
  private Supplier<CelExpression> once(String text, CelExpression.Result wanted) {
    Supplier<Supplier<CelExpression>> compiled =
        Suppliers.memoize(() ->
            CelExpression.attempt(
                () -> CelExpression.compile(text, environment(), wanted, scope.sizes())));
    return () -> compiled.get().get();
  }

  private CelEnvironment environment() {
    CelType self = scope.types().get().self();
    CelType oldSelf =
        Boolean.TRUE.equals(source.optionalOldSelf()) ? OptionalType.create(self) : self;
    return new CelEnvironment(Map.of(SELF, self, OLD_SELF, oldSelf), scope.types().get());
  }

  public String path() {
    return path;
  }

  /** The schema that has the rule. */
  public Structural schema() {
    return schema;
  }

  public RuleSource source() {
    return source;
  }

  /**
   * The path of the lowest part of the schema around the rule of which old and new values are not
   * known to belong together; empty if there is none.
   */
  public Optional<String> uncorrelatable() {
    return scope.uncorrelatable();
  }

  /** The condition; throws {@link InvalidExpression} if it does not compile. */
  public CelExpression condition() {
    return condition.get();
  }

  /**
   * Empty if there is no message expression; throws {@link InvalidExpression} if it does not
   * compile.
   */
  public Optional<CelExpression> messageExpression() {
    return message.map(Supplier::get);
  }

  /** Whether the condition compares with the value before; throws {@link InvalidExpression}. */
  public boolean isTransition() {
    return condition().uses(OLD_SELF);
  }

  /** What all evaluations of the condition on one object cost at most. */
  public long cost() {
    return Range.times(condition().cost(scope.sizes()), scope.cardinality());
  }

  /** What one evaluation of the message costs at most. */
  public long messageCost() {
    return messageExpression().map(expression -> expression.cost(scope.sizes())).orElse(0L);
  }

  /** The message for a violation by these values. */
  String message(Map<String, ?> variables) {
    return expressed(variables)
        .orElseGet(() ->
            source.message().isBlank()
                ? "failed rule: " + source.cited()
                : source.message().strip());
  }

  private Optional<String> expressed(Map<String, ?> variables) {
    try {
      return messageExpression()
          .map(expression -> expression.evaluate(variables))
          .map(value -> value instanceof String text ? text.strip() : "")
          .filter(text -> !text.isEmpty() && text.length() <= MESSAGE_MAX && !text.contains("\n"));
    } catch (CelExpression.EvaluationFailed | InvalidExpression e) {
      return Optional.empty();
    }
  }
}
