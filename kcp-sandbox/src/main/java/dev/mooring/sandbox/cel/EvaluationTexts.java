package dev.mooring.sandbox.cel;

import dev.cel.common.CelAbstractSyntaxTree;
import dev.cel.common.ast.CelExpr;
import dev.cel.common.navigation.CelNavigableAst;
import dev.cel.runtime.CelEvaluationException;
import dev.mooring.sandbox.cel.CelExpression.EvaluationFailed;
import dev.mooring.sandbox.cel.library.FunctionError;
import java.time.DateTimeException;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Why an evaluation failed, in Kubernetes' words. */
final class EvaluationTexts {
  /** CEL-Java says where in its text an evaluation failed; Kubernetes does not. */
  private static final Pattern POSITION =
      Pattern.compile("^evaluation error(?: at [^ ]*?:([0-9]+))?: ");

  private static final Pattern MISSING_KEY =
      Pattern.compile(
          "^(?:key '(.*)' is not present in map\\."
              + "|Error resolving field '(.*)'\\. Field selections must be performed .*)$");
  private static final Pattern SUBSTRING =
      Pattern.compile("^substring failure: Range \\[(-?[0-9]+), (-?[0-9]+)\\) out of bounds.*$");
  private static final Pattern SLICE =
      Pattern.compile("Function 'list_slice' failed with arg\\(s\\) '.*, (-?[0-9]+), (-?[0-9]+)'");
  private static final Pattern NUMBER_AT_END = Pattern.compile("(-?[0-9]+)$");
  private static final Set<String> CONVERSIONS =
      Set.of("int", "uint", "double", "bool", "timestamp", "duration");

  private EvaluationTexts() {}

  static String explain(CelEvaluationException failure, CelAbstractSyntaxTree ast) {
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof FunctionError || cause instanceof EvaluationFailed) {
        return String.valueOf(cause.getMessage());
      }
    }
    String text = String.valueOf(failure.getMessage());
    Matcher position = POSITION.matcher(text);
    String plain = position.replaceFirst("");
    Set<String> functions =
        position.reset().lookingAt() && position.group(1) != null
            ? functions(ast, Integer.parseInt(position.group(1)))
            : Set.of();
    return switch (failure.getErrorCode()) {
      case DIVIDE_BY_ZERO -> functions.contains("_%_") ? "modulus by zero" : "division by zero";
      case OVERLOAD_NOT_FOUND -> "no such overload";
      case ATTRIBUTE_NOT_FOUND -> missing(plain);
      case NUMERIC_OVERFLOW ->
          plain.contains("uint") ? "unsigned integer overflow" : "integer overflow";
      case INDEX_OUT_OF_BOUNDS -> outOfBounds(plain);
      case BAD_FORMAT -> conversion(functions).orElseGet(() -> other(plain));
      default -> other(plain, functions, failure);
    };
  }

  private static String missing(String plain) {
    Matcher missing = MISSING_KEY.matcher(plain);
    if (!missing.matches()) {
      return "no such key: " + plain;
    }
    return "no such key: " + (missing.group(1) == null ? missing.group(2) : missing.group(1));
  }

  private static String outOfBounds(String plain) {
    Matcher number = NUMBER_AT_END.matcher(plain);
    return number.find() && plain.startsWith("Index out of bounds")
        ? "index out of bounds: " + number.group(1)
        : other(plain);
  }

  private static Optional<String> conversion(Set<String> functions) {
    return functions.stream()
        .filter(CONVERSIONS::contains)
        .findFirst()
        .map(function ->
            "type conversion error from 'string' to '%s'"
                .formatted(
                    switch (function) {
                      case "timestamp" -> "google.protobuf.Timestamp";
                      case "duration" -> "google.protobuf.Duration";
                      default -> function;
                    }));
  }

  private static String other(String plain, Set<String> functions, CelEvaluationException failure) {
    Throwable cause = failure;
    while (cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof NoSuchElementException) {
      return "optional.none() dereference";
    }
    if (plain.startsWith("Function '") && cause.getMessage() != null) {
      Matcher slice = SLICE.matcher(plain);
      String why = cause.getMessage();
      why = why.substring(0, 1).toLowerCase(Locale.ROOT) + why.substring(1);
      return slice.matches()
          ? "cannot slice(%s, %s), %s".formatted(slice.group(1), slice.group(2), why)
          : other(why);
    }
    if (cause instanceof NumberFormatException || cause instanceof DateTimeException) {
      return conversion(functions).orElseGet(() -> other(plain));
    }
    return other(plain);
  }

  private static String other(String plain) {
    Matcher substring = SUBSTRING.matcher(plain);
    if (substring.matches()) {
      long start = Long.parseLong(substring.group(1));
      long end = Long.parseLong(substring.group(2));
      return "index out of range: " + (start > end ? start : end);
    }
    if (plain.startsWith("charAt failure: Index")) {
      return plain.substring("charAt failure: ".length()).replace("Index", "index");
    }
    if (plain.startsWith("timestamp is not valid") || plain.startsWith("duration is not valid")) {
      return plain.substring(0, plain.indexOf(' ')) + " overflow";
    }
    if (plain.startsWith("Unknown time-zone ID: ")) {
      return plain.replace("Unknown time-zone ID:", "unknown time zone");
    }
    if (plain.startsWith("insert failed: key '")) {
      return plain.replace("'", "");
    }
    if (plain.startsWith("expected boolean value")) {
      return "no such overload";
    }
    if (plain.startsWith("Index out of bounds")) {
      return plain.replace("Index", "index");
    }
    if (MISSING_KEY.matcher(plain).matches()) {
      return missing(plain);
    }
    if (plain.equals("int out of uint range")) {
      return "unsigned integer overflow";
    }
    return plain.equals("long overflow") || plain.equals("double is out of range for int")
        ? "integer overflow"
        : plain;
  }

  /** The functions that are called at this place of the text. */
  private static Set<String> functions(CelAbstractSyntaxTree ast, int offset) {
    Map<Long, Integer> positions = ast.getSource().getPositionsMap();
    return CelNavigableAst.fromAst(ast)
        .getRoot()
        .allNodes()
        .filter(node -> node.getKind() == CelExpr.ExprKind.Kind.CALL)
        .filter(node -> Integer.valueOf(offset).equals(positions.get(node.id())))
        .map(node -> node.expr().call().function())
        .collect(Collectors.toUnmodifiableSet());
  }
}
