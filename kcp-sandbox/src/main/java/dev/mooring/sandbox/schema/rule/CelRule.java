package dev.mooring.sandbox.schema.rule;

import com.google.common.base.Suppliers;
import dev.cel.common.types.CelType;
import dev.cel.common.types.OptionalType;
import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import dev.mooring.sandbox.schema.model.RuleSource;
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
  private final RuleSource source;
  private final Supplier<Compiled> compiled;

  /**
   * @param path where the rule stands in the schema, such as {@code
   *     .properties[spec].x-kubernetes-validations[0]}
   */
  CelRule(String path, RuleSource source, Supplier<CelTypes> types) {
    this.path = path;
    this.source = source;
    this.compiled = Suppliers.memoize(() -> compile(source, types.get()));
  }

  public String path() {
    return path;
  }

  public RuleSource source() {
    return source;
  }

  /** The condition; throws {@link InvalidExpression} if it or the message does not compile. */
  public CelExpression condition() {
    return compiled.get().condition();
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
      return compiled
          .get()
          .message()
          .map(expression -> expression.evaluate(variables))
          .map(value -> value instanceof String text ? text.strip() : "")
          .filter(text -> !text.isEmpty() && text.length() <= MESSAGE_MAX && !text.contains("\n"));
    } catch (CelExpression.EvaluationFailed e) {
      return Optional.empty();
    }
  }

  private static Compiled compile(RuleSource source, CelTypes types) {
    CelType self = types.self();
    CelType oldSelf =
        switch (source.oldSelf()) {
          case VALUE -> self;
          case OPTIONAL -> OptionalType.create(self);
        };
    Map<String, CelType> variables = Map.of(SELF, self, OLD_SELF, oldSelf);
    return new Compiled(
        CelExpression.compile(source.rule(), variables, types, CelExpression.Result.BOOL),
        Optional.of(source.messageExpression())
            .filter(text -> !text.isBlank())
            .map(text ->
                CelExpression.compile(text, variables, types, CelExpression.Result.STRING)));
  }

  private record Compiled(CelExpression condition, Optional<CelExpression> message) {}
}
