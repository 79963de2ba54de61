package dev.mooring.languages.gjson;

import dev.mooring.languages.GoNumbers;
import java.util.List;
import java.util.Locale;

/** What gjson makes of a value where a number or a truth is asked for. */
public final class PathValues {
  /** Beyond these, not every whole number is a {@code double}. */
  private static final double EXACT_MAX = 9_007_199_254_740_991d;

  private PathValues() {}

  /** False for what is none. */
  public static boolean flag(Object value) {
    return switch (value) {
      case Boolean flag -> flag;
      case Number number -> number.doubleValue() != 0;
      case String text -> List.of("1", "t", "true").contains(text.toLowerCase(Locale.ROOT));
      case null, default -> false;
    };
  }

  /** Of a string only digits with a sign count; 0 for what is no number. */
  public static long whole(Object value) {
    return switch (value) {
      case Boolean flag -> flag ? 1 : 0;
      case Long number -> number;
      case Number number when Math.abs(number.doubleValue()) <= EXACT_MAX ->
          (long) number.doubleValue();
      case Double number when Math.abs(number) >= 0x1p63 -> Long.MIN_VALUE;
      case Number number -> number.longValue();
      case String text -> digits(text);
      case null, default -> 0;
    };
  }

  /** 0 for what is no number. */
  public static double fraction(Object value) {
    return switch (value) {
      case Boolean flag -> flag ? 1 : 0;
      case Number number -> number.doubleValue();
      case String text -> GoNumbers.parse(text).orElse(0d);
      case null, default -> 0;
    };
  }

  /** Wraps around, as there. */
  private static long digits(String text) {
    int start = text.startsWith("-") ? 1 : 0;
    long number = 0;
    for (int i = start; i < text.length(); i++) {
      char here = text.charAt(i);
      if (here < '0' || here > '9') {
        return 0;
      }
      number = number * 10 + (here - '0');
    }
    return start == 1 ? -number : number;
  }
}
