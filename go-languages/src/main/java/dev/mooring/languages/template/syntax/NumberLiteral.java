package dev.mooring.languages.template.syntax;

import dev.mooring.languages.InvalidTemplate;
import java.math.BigInteger;
import java.util.Locale;
import java.util.function.IntFunction;

/**
 * Numbers as Go writes them: decimal, hexadecimal, octal, binary, with underscores and exponents.
 */
final class NumberLiteral {
  private NumberLiteral() {}

  /** Takes the number at {@code start}; {@code take} receives where it ends. */
  static Token read(IntFunction<String> take, String text, int start) {
    int end = start + 1;
    while (end < text.length()) {
      char here = text.charAt(end);
      char before = text.charAt(end - 1);
      boolean exponent =
          (here == '+' || here == '-') && (before == 'e' || before == 'E') && end > start + 1;
      if (!Lexer.isName(here) && here != '.' && !exponent) {
        break;
      }
      end++;
    }
    String literal = take.apply(end);
    try {
      return new Token.Literal(value(literal));
    } catch (NumberFormatException e) {
      throw new InvalidTemplate("bad number syntax: \"" + literal + "\"");
    }
  }

  private static Object value(String literal) {
    String sign = literal.startsWith("-") ? "-" : "";
    String digits =
        (literal.startsWith("-") || literal.startsWith("+") ? literal.substring(1) : literal)
            .toLowerCase(Locale.ROOT);
    String plain = digits.replace("_", "");
    if (digits.endsWith("_") || digits.contains("__") || plain.endsWith("i") && !hex(plain)) {
      throw new NumberFormatException();
    }
    if (hex(plain)) {
      return whole(sign + plain.substring(2), 16);
    }
    if (plain.startsWith("0o")) {
      return whole(sign + plain.substring(2), 8);
    }
    if (plain.startsWith("0b")) {
      return whole(sign + plain.substring(2), 2);
    }
    if (plain.contains(".") || plain.contains("e")) {
      if (!plain.matches("[0-9]*\\.?[0-9]*(e[+-]?[0-9]{1,3})?")) {
        throw new NumberFormatException();
      }
      return Double.valueOf(sign + plain);
    }
    return plain.length() > 1 && plain.startsWith("0")
        ? whole(sign + plain, 8)
        : whole(sign + plain, 10);
  }

  private static boolean hex(String plain) {
    return plain.startsWith("0x");
  }

  private static Object whole(String digits, int radix) {
    BigInteger number = new BigInteger(digits, radix);
    if (number.bitLength() >= Long.SIZE) {
      throw new NumberFormatException();
    }
    return number.longValue();
  }
}
