package dev.mooring.languages.gjson;

import dev.mooring.languages.InvalidExpression;
import dev.mooring.languages.gjson.PathStep.Wanted;

/**
 * A query as it stands in a path: {@code #(path operator operand)}, with another {@code #} behind
 * it for all that fit.
 *
 * @param operator empty if only the path's existence is asked for
 * @param end index behind it
 */
record QueryText(String path, String operator, String operand, Wanted wanted, int end) {
  private static final String[] OPERATORS = {"!=", "!%", "<=", ">=", "==", "<", ">", "=", "%"};

  /** The query at {@code start}; throws {@link InvalidExpression}. */
  static QueryText read(String text, int start) {
    int operator = -1;
    int nested = 1;
    int i = start + 2;
    for (; i < text.length(); i++) {
      char here = text.charAt(i);
      if (nested == 1 && operator < 0 && "!=<>%".indexOf(here) >= 0) {
        operator = i;
      } else if (here == '\\') {
        i++;
      } else if (here == '[' || here == '(') {
        nested++;
      } else if (here == ']' || here == ')') {
        nested--;
        if (nested == 0) {
          break;
        }
      } else if (here == '"') {
        i = closingQuote(text, i);
      }
    }
    if (nested > 0) {
      throw new InvalidExpression("the query \"" + text.substring(start) + "\" is never closed");
    }
    int end = text.startsWith("#", i + 1) ? i + 2 : i + 1;
    if (end < text.length() && text.charAt(end) != '.' && text.charAt(end) != '|') {
      throw new InvalidExpression("unexpected \"" + text.substring(end) + "\" after a query");
    }
    String condition = operator < 0 ? "" : text.substring(operator, i).strip();
    String sign = sign(condition);
    return new QueryText(
        text.substring(start + 2, operator < 0 ? i : operator).strip(),
        sign.equals("==") ? "=" : sign,
        unquoted(condition.substring(sign.length()).strip()),
        end == i + 2 ? Wanted.ALL : Wanted.FIRST,
        end);
  }

  /** Index of the quote that ends the string beginning at {@code from}; the length if none does. */
  static int closingQuote(String text, int from) {
    for (int i = from + 1; i < text.length(); i++) {
      if (text.charAt(i) == '\\') {
        i++;
      } else if (text.charAt(i) == '"') {
        return i;
      }
    }
    return text.length();
  }

  private static String sign(String condition) {
    for (String sign : OPERATORS) {
      if (condition.startsWith(sign)) {
        return sign;
      }
    }
    if (!condition.isEmpty()) {
      throw new InvalidExpression("unknown comparison \"" + condition + "\" in a query");
    }
    return "";
  }

  private static String unquoted(String operand) {
    if (operand.length() < 2 || !operand.startsWith("\"") || !operand.endsWith("\"")) {
      return operand;
    }
    var plain = new StringBuilder();
    for (int i = 1; i < operand.length() - 1; i++) {
      char here = operand.charAt(i);
      if (here == '\\' && i + 1 < operand.length() - 1) {
        here = operand.charAt(++i);
        here =
            switch (here) {
              case 'n' -> '\n';
              case 't' -> '\t';
              case 'r' -> '\r';
              default -> here;
            };
      }
      plain.append(here);
    }
    return plain.toString();
  }
}
