package dev.mooring.languages.template.format;

import com.google.common.collect.Sets;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What stands between the percent sign and the verb.
 *
 * @param width in characters
 */
record FormatSpec(Set<Flag> flags, OptionalInt width, OptionalInt precision) {
  static final FormatSpec NONE = new FormatSpec(Set.of(), OptionalInt.empty(), OptionalInt.empty());

  FormatSpec {
    flags = Set.copyOf(flags);
  }

  enum Flag {
    SHARP('#'),
    ZERO('0'),
    PLUS('+'),
    MINUS('-'),
    SPACE(' '),
    /** {@code #} of {@code %#v}. */
    GO_SYNTAX('\0');

    private final char sign;

    Flag(char sign) {
      this.sign = sign;
    }

    /** Null if the sign is none. */
    static Flag of(char sign) {
      for (Flag flag : values()) {
        if (flag.sign == sign && sign != '\0') {
          return flag;
        }
      }
      return null;
    }
  }

  boolean has(Flag flag) {
    return flags.contains(flag);
  }

  /** Of {@code %v}, where {@code +} and {@code #} have meanings of their own. */
  FormatSpec forValues() {
    FormatSpec plain = without(Flag.SHARP, Flag.PLUS);
    return has(Flag.SHARP)
        ? new FormatSpec(Sets.union(plain.flags, Set.of(Flag.GO_SYNTAX)), width, precision)
        : plain;
  }

  private FormatSpec without(Flag... unwanted) {
    return new FormatSpec(Sets.difference(flags, Set.of(unwanted)), width, precision);
  }

  private boolean padsWithZeros() {
    return has(Flag.ZERO) && !has(Flag.MINUS);
  }

  /** Filled up to the width, with zeros where these are asked for. */
  String padded(String text) {
    String pad = padding(text);
    return has(Flag.MINUS) ? text + pad : pad + text;
  }

  /** As {@link #padded}, always with spaces. */
  String spaced(String text) {
    return without(Flag.ZERO).padded(text);
  }

  private String padding(String text) {
    int missing = width.orElse(0) - text.codePointCount(0, text.length());
    return missing <= 0 ? "" : (padsWithZeros() ? "0" : " ").repeat(missing);
  }

  /** Digits of a number that zeros in front shall make up; 0 if there is no such wish. */
  int digits(String sign) {
    if (precision.isPresent()) {
      return precision.getAsInt();
    }
    return padsWithZeros() && width.isPresent() ? width.getAsInt() - sign.length() : 0;
  }

  /** A signed number, with zeros behind the sign where these are asked for. */
  String paddedNumber(String sign, String digits) {
    return padsWithZeros() ? sign + padding(sign + digits) + digits : padded(sign + digits);
  }

  /** In front of a number that is not negative. */
  String sign() {
    return has(Flag.PLUS) ? "+" : has(Flag.SPACE) ? " " : "";
  }

  /** At most so many characters as the precision says. */
  String cut(String text) {
    int most = precision.orElse(Integer.MAX_VALUE);
    return text.codePointCount(0, text.length()) <= most
        ? text
        : text.substring(0, text.offsetByCodePoints(0, most));
  }
}
