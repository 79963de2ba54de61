package dev.mooring.sandbox.cel;

import dev.cel.runtime.CelEvaluationException;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import dev.mooring.sandbox.cel.library.FunctionError;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Why an evaluation failed: the commonest failures in Kubernetes' words, others in CEL-Java's. */
final class EvaluationTexts {
  private static final String NO_OVERLOAD = "no such overload";

  /** CEL-Java says where in its text an evaluation failed; Kubernetes does not. */
  private static final Pattern POSITION = Pattern.compile("^evaluation error(?: at [^ ]*)?: ");

  private static final Pattern MISSING_KEY =
      Pattern.compile(
          "^(?:key '(.*)' is not present in map\\."
              + "|Error resolving field '(.*)'\\. Field selections must be performed .*)$");

  private EvaluationTexts() {}

  static String explain(CelEvaluationException failure) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FunctionError || cause instanceof EvaluationFailed) {
        return String.valueOf(cause.getMessage());
      }
    }
    String plain = POSITION.matcher(String.valueOf(failure.getMessage())).replaceFirst("");
    Matcher missing = MISSING_KEY.matcher(plain);
    if (missing.matches()) {
      return "no such key: " + (missing.group(1) == null ? missing.group(2) : missing.group(1));
    }
    return switch (failure.getErrorCode()) {
      case DIVIDE_BY_ZERO -> "division by zero";
      case OVERLOAD_NOT_FOUND -> NO_OVERLOAD;
      case ATTRIBUTE_NOT_FOUND -> "no such key: " + plain;
      case NUMERIC_OVERFLOW -> "integer overflow";
      default -> plain.startsWith("expected boolean value") ? NO_OVERLOAD : plain;
    };
  }
}
