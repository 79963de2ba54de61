package dev.mooring.sandbox.selector;

import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.api.validation.NameRules;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The text form of a label selector, as in {@code ?labelSelector=}: {@code a=b,c!=d,e in (f,g),!h}.
 * Grammar and error texts are those of Kubernetes' {@code apimachinery/pkg/labels}.
 */
public final class LabelQuery implements Predicate<Map<String, String>> {
  /** Selects everything. */
  public static final LabelQuery EVERYTHING = new LabelQuery(List.of());

  private final List<Predicate<Map<String, String>>> requirements;

  private LabelQuery(List<Predicate<Map<String, String>>> requirements) {
    this.requirements = requirements;
  }

  /** Throws {@link IllegalArgumentException} with Kubernetes' text. */
  public static LabelQuery parse(String text) {
    return text.isEmpty() ? EVERYTHING : new LabelQuery(new Parser(text).requirements());
  }

  @Override
  public boolean test(Map<String, String> labels) {
    for (Predicate<Map<String, String>> requirement : requirements) {
      if (!requirement.test(labels)) {
        return false;
      }
    }
    return true;
  }

  public boolean selectsEverything() {
    return requirements.isEmpty();
  }

  private static final class Parser {
    private static final String SPECIAL = "=!(),<>";
    private final List<String> tokens;
    private int next;

    Parser(String text) {
      this.tokens = scan(text);
    }

    List<Predicate<Map<String, String>>> requirements() {
      var found = new ArrayList<Predicate<Map<String, String>>>();
      while (true) {
        String token = peek();
        if (token.isEmpty()) {
          return found;
        }
        if (!token.equals("!") && !identifier(token)) {
          throw expected(token, "!, identifier, or 'end of string'");
        }
        try {
          found.add(requirement());
        } catch (IllegalArgumentException e) {
          throw new IllegalArgumentException("unable to parse requirement: " + e.getMessage(), e);
        }
        String separator = take();
        if (separator.isEmpty()) {
          return found;
        }
        if (!separator.equals(",")) {
          throw expected(separator, "',' or 'end of string'");
        }
        if (!peek().equals("!") && !identifier(peek())) {
          throw expected(peek(), "identifier after ','");
        }
      }
    }

    private Predicate<Map<String, String>> requirement() {
      boolean absent = peek().equals("!");
      if (absent) {
        take();
      }
      String key = take();
      if (!identifier(key)) {
        throw expected(key, "identifier");
      }
      requireKey(key);
      if (absent) {
        return labels -> !labels.containsKey(key);
      }
      if (peek().isEmpty() || peek().equals(",")) {
        return labels -> labels.containsKey(key);
      }
      String operator = take();
      return switch (operator) {
        case "=", "==" -> {
          String value = value(key);
          yield labels -> value.equals(labels.get(key));
        }
        case "!=" -> {
          String value = value(key);
          yield labels -> !value.equals(labels.get(key));
        }
        case "in" -> {
          var values = values(key);
          yield labels -> labels.containsKey(key) && values.contains(labels.get(key));
        }
        case "notin" -> {
          var values = values(key);
          yield labels -> !labels.containsKey(key) || !values.contains(labels.get(key));
        }
        case ">", "<" -> {
          long bound = number(plainValue());
          int sign = operator.equals(">") ? 1 : -1;
          yield labels -> compares(labels.get(key), bound, sign);
        }
        default -> throw expected(operator, "in, notin, =, ==, !=, gt, lt");
      };
    }

    private static boolean compares(@Nullable String value, long bound, int sign) {
      try {
        return value != null && Long.compare(Long.parseLong(value), bound) == sign;
      } catch (NumberFormatException notANumber) {
        return false;
      }
    }

    private static long number(String text) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException e) {
        throw new IllegalArgumentException(
            FieldError.invalid(
                    "values[0]", text, "for 'Gt', 'Lt' operators, the value must be an integer")
                .toString(),
            e);
      }
    }

    private static void requireKey(String key) {
      List<String> complaints = NameRules.qualifiedName(key);
      if (!complaints.isEmpty()) {
        throw new IllegalArgumentException(
            FieldError.invalid("<nil>", key, String.join("; ", complaints)).toString());
      }
    }

    private static void requireValue(String key, int index, String value) {
      List<String> complaints = NameRules.labelValue(value);
      if (!complaints.isEmpty()) {
        throw new IllegalArgumentException(
            FieldError.invalid(
                    "values[" + index + "][" + key + "]", value, String.join("; ", complaints))
                .toString());
      }
    }

    private String value(String key) {
      String value = plainValue();
      requireValue(key, 0, value);
      return value;
    }

    private String plainValue() {
      if (peek().isEmpty() || peek().equals(",")) {
        return "";
      }
      String value = take();
      if (!identifier(value)) {
        throw expected(value, "identifier");
      }
      return value;
    }

    private TreeSet<String> values(String key) {
      String open = take();
      if (!open.equals("(")) {
        throw new IllegalArgumentException("found '" + open + "' expected: '('");
      }
      var values = new TreeSet<String>();
      String last = ",";
      while (true) {
        String token = take();
        switch (token) {
          case ")" -> {
            if (last.equals(",")) {
              values.add("");
            }
            int index = 0;
            for (String value : values) {
              requireValue(key, index++, value);
            }
            return values;
          }
          case "," -> {
            if (last.equals(",")) {
              values.add("");
            }
          }
          default -> {
            if (!last.equals(",")) {
              throw expected(token, "',' or ')'");
            }
            if (!identifier(token)) {
              throw expected(token, "',', ')' or identifier");
            }
            values.add(token);
          }
        }
        last = token;
      }
    }

    private String peek() {
      return next < tokens.size() ? tokens.get(next) : "";
    }

    private String take() {
      String token = peek();
      next++;
      return token;
    }

    private static boolean identifier(String token) {
      return !token.isEmpty() && SPECIAL.indexOf(token.charAt(0)) < 0;
    }

    private static IllegalArgumentException expected(String found, String what) {
      return new IllegalArgumentException("found '" + found + "', expected: " + what);
    }

    private static List<String> scan(String text) {
      var tokens = new ArrayList<String>();
      int at = 0;
      while (at < text.length()) {
        char c = text.charAt(at);
        if (Character.isWhitespace(c)) {
          at++;
        } else if (SPECIAL.indexOf(c) >= 0) {
          int length = 1;
          if ((c == '=' || c == '!') && text.startsWith("=", at + 1)) {
            length = 2;
          }
          tokens.add(text.substring(at, at + length));
          at += length;
        } else {
          int end = at;
          while (end < text.length()
              && SPECIAL.indexOf(text.charAt(end)) < 0
              && !Character.isWhitespace(text.charAt(end))) {
            end++;
          }
          tokens.add(text.substring(at, end));
          at = end;
        }
      }
      return tokens;
    }
  }
}
