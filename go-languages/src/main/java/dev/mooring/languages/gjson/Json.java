package dev.mooring.languages.gjson;

import dev.mooring.languages.ExpressionFailure;
import dev.mooring.languages.GoNumbers;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A value with its JSON text. A map's fields have the order of the text.
 *
 * @param value a tree
 * @param text where it is not simply what {@link GoJson} makes of the value
 */
record Json(Object value, Optional<String> text) {
  static Json of(Object value) {
    return new Json(value, Optional.empty());
  }

  String raw() {
    return text.orElseGet(() -> GoJson.write(value));
  }

  /** As gjson makes text of it: a string is itself, nothing is empty. */
  String string() {
    return value instanceof Map<?, ?> || value instanceof List<?> ? raw() : JsonPath.text(value);
  }

  /**
   * The first value of a text, as gjson reads it: what follows a number, a string or a word is
   * passed over. Empty if there is none, or if a list or map is no JSON.
   */
  static Optional<Json> parse(String text) {
    String json = text.stripLeading();
    if (json.isEmpty()) {
      return Optional.empty();
    }
    return switch (json.charAt(0)) {
      case '{', '[' -> read(json).map(value -> new Json(value, Optional.of(json)));
      case '"' ->
          read(json.substring(0, Math.min(json.length(), QueryText.closingQuote(json, 0) + 1)))
              .map(Json::of);
      case 't' -> Optional.of(of(true));
      case 'f' -> Optional.of(of(false));
      case 'n' ->
          Optional.of(json.startsWith("u", 1) || json.length() == 1 ? of(null) : number(json));
      case '+', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'i', 'I', 'N' ->
          Optional.of(number(json));
      default -> Optional.empty();
    };
  }

  private static Optional<Object> read(String json) {
    try {
      return Optional.of(JsonReader.read(json));
    } catch (ExpressionFailure e) {
      return Optional.empty();
    }
  }

  /** Up to the next sign that ends a number; 0 if Go cannot read that as one. */
  private static Json number(String json) {
    int end = 1;
    while (end < json.length() && json.charAt(end) > ' ' && ",]}".indexOf(json.charAt(end)) < 0) {
      end++;
    }
    String digits = json.substring(0, end);
    if (digits.matches("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]{1,4})?")) {
      return new Json(JsonReader.read(digits), Optional.of(digits));
    }
    return of(GoNumbers.parse(digits).orElse(0d));
  }
}
