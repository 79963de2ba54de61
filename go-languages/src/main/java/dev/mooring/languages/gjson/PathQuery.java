package dev.mooring.languages.gjson;

import dev.mooring.languages.GoNumbers;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Whether an item of a list fits a query, with gjson's rules per type of the value found. */
final class PathQuery {
  private PathQuery() {}

  static boolean fits(PathStep.Query query, Object item, PathReader reader) {
    boolean container = item instanceof Map<?, ?> || item instanceof List<?>;
    if (!container && !query.path().isEmpty()) {
      return false;
    }
    Optional<Json> found =
        query.path().isEmpty()
            ? container ? Optional.empty() : Optional.of(Json.of(item))
            : reader.find(Optional.of(Json.of(item)), query.path());
    String operand = query.operand();
    if (operand.startsWith("~")) {
      return compare(truth(found, operand.substring(1)), query.operator(), "true");
    }
    if (found.isEmpty()) {
      return false;
    }
    return query.operator().isEmpty() || compare(found.get().value(), query.operator(), operand);
  }

  /** Null for a kind of truth that does not exist: it fits nothing. */
  private static Object truth(Optional<Json> found, String kind) {
    Object value = found.map(Json::value).orElse(null);
    return switch (kind) {
      case "*" -> found.isPresent();
      case "null" -> value == null;
      case "true" -> truthOf(value) == Truth.YES;
      case "false" -> truthOf(value) == Truth.NO;
      default -> null;
    };
  }

  private enum Truth {
    YES,
    NO,
    NEITHER
  }

  private static Truth truthOf(Object value) {
    return switch (value) {
      case null -> Truth.NO;
      case Boolean flag -> flag ? Truth.YES : Truth.NO;
      case Number number -> number.doubleValue() == 0 ? Truth.NO : Truth.YES;
      case String text ->
          switch (text.toLowerCase(Locale.ROOT)) {
            case "1", "t", "true" -> Truth.YES;
            case "0", "f", "false" -> Truth.NO;
            default -> Truth.NEITHER;
          };
      default -> Truth.NEITHER;
    };
  }

  private static boolean compare(Object value, String operator, String operand) {
    return switch (value) {
      case String text ->
          switch (operator) {
            case "%" -> WildcardMatch.matches(text, operand);
            case "!%" -> !WildcardMatch.matches(text, operand);
            default -> holds(text.compareTo(operand), operator);
          };
      case Number number ->
          holds(number.doubleValue(), GoNumbers.parse(operand).orElse(0d), operator);
      case Boolean flag -> compareFlag(flag, operator, operand);
      case null, default -> false;
    };
  }

  private static boolean compareFlag(boolean flag, String operator, String operand) {
    return switch (operator) {
      case "" -> true;
      case "=" -> operand.equals(Boolean.toString(flag));
      case "!=" -> !operand.equals(Boolean.toString(flag));
      case ">" -> flag && operand.equals("false");
      case ">=" -> flag;
      case "<" -> !flag && operand.equals("true");
      case "<=" -> !flag;
      default -> false;
    };
  }

  private static boolean holds(double left, double right, String operator) {
    return holds(left == right ? 0 : left < right ? -1 : 1, operator);
  }

  private static boolean holds(int order, String operator) {
    return switch (operator) {
      case "=" -> order == 0;
      case "!=" -> order != 0;
      case "<" -> order < 0;
      case "<=" -> order <= 0;
      case ">" -> order > 0;
      case ">=" -> order >= 0;
      default -> false;
    };
  }
}
