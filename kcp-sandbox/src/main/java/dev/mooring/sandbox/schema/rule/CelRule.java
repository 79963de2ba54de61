package dev.mooring.sandbox.schema.rule;

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
  private final Supplier<CelTypes> types;
  private volatile Compiled compiled;

  /**
   * @param path where the rule stands in the schema, such as {@code
   *     .properties[spec].x-kubernetes-validations[0]}
   */
  CelRule(String path, RuleSource source, Supplier<CelTypes> types) {
    this.path = path;
    this.source = source;
    this.types = types;
  }

  public String path() {
    return path;
  }

  public RuleSource source() {
    return source;
  }

  /** The condition; throws {@link InvalidExpression} if it or the message does not compile. */
  public CelExpression condition() {
    Compiled ready = compile();
    if (ready.invalid() != null) {
      throw ready.invalid();
    }
    return ready.condition();
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
    CelExpression expression = compile().message();
    if (expression == null) {
      return Optional.empty();
    }
    try {
      return expression.evaluate(variables) instanceof String text
          ? Optional.of(text.strip())
              .filter(message ->
                  !message.isEmpty() && message.length() <= MESSAGE_MAX && !message.contains("\n"))
          : Optional.empty();
    } catch (CelExpression.EvaluationFailed e) {
      return Optional.empty();
    }
  }

  private Compiled compile() {
    Compiled ready = compiled;
    if (ready == null) {
      ready = compileNow();
      compiled = ready;
    }
    return ready;
  }

  private Compiled compileNow() {
    CelTypes known = types.get();
    CelType self = known.self();
    CelType oldSelf =
        switch (source.oldSelf()) {
          case VALUE -> self;
          case OPTIONAL -> OptionalType.create(self);
        };
    Map<String, CelType> variables = Map.of(SELF, self, OLD_SELF, oldSelf);
    try {
      CelExpression condition =
          CelExpression.compile(source.rule(), variables, known, CelExpression.Result.BOOL);
      return new Compiled(condition, compileMessage(variables, known), null);
    } catch (InvalidExpression e) {
      return new Compiled(null, null, e);
    }
  }

  private CelExpression compileMessage(Map<String, CelType> variables, CelTypes known) {
    return source.messageExpression().isBlank()
        ? null
        : CelExpression.compile(
            source.messageExpression(), variables, known, CelExpression.Result.STRING);
  }

  private record Compiled(
      CelExpression condition, CelExpression message, InvalidExpression invalid) {}
}
