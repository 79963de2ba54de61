package dev.mooring.sandbox.schema;

import dev.mooring.sandbox.cel.CelExpression;
import dev.mooring.sandbox.cel.CelExpression.InvalidExpression;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One validation rule, compiled at its first use: schemas of popular operators hold hundreds, of
 * which a typical object touches few. Thread-safe.
 */
final class CelRule {
  static final String SELF = "self";
  static final String OLD_SELF = "oldSelf";

  /** Longer messages of a rule are not used (apiserver {@code pkg/apis/cel/config.go}). */
  private static final int MESSAGE_MAX = 5 * 1024;

  private static final Set<String> VARIABLES = Set.of(SELF, OLD_SELF);

  private final RuleSource source;
  private volatile Compiled compiled;

  CelRule(RuleSource source) {
    this.source = source;
  }

  RuleSource source() {
    return source;
  }

  /** The condition; throws {@link InvalidExpression}. */
  CelExpression condition() {
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
    try {
      return new Compiled(
          CelExpression.compile(source.rule(), VARIABLES, CelExpression.Result.BOOL),
          compileMessage(),
          null);
    } catch (InvalidExpression e) {
      return new Compiled(null, null, e);
    }
  }

  /** A message that does not compile is refused with its schema; one in store is not used. */
  private CelExpression compileMessage() {
    if (source.messageExpression().isBlank()) {
      return null;
    }
    try {
      return CelExpression.compile(
          source.messageExpression(), VARIABLES, CelExpression.Result.STRING);
    } catch (InvalidExpression e) {
      return null;
    }
  }

  private record Compiled(
      CelExpression condition, CelExpression message, InvalidExpression invalid) {}
}
