package dev.mooring.languages.template.text;

import com.google.common.base.CharMatcher;
import dev.mooring.languages.TemplateFailure;
import java.nio.charset.StandardCharsets;

/** Strings as Go treats them: lengths and cuts count UTF-8 bytes. */
public final class Texts {
  /** As Go's {@code unicode.IsSpace}. */
  private static final CharMatcher SPACE = CharMatcher.whitespace();

  private Texts() {}

  public static String trim(String text) {
    return SPACE.trimFrom(text);
  }

  public static String trimLeft(String text) {
    return SPACE.trimLeadingFrom(text);
  }

  public static String trimRight(String text) {
    return SPACE.trimTrailingFrom(text);
  }

  public static boolean isSpace(int code) {
    return Character.isBmpCodePoint(code) && SPACE.matches((char) code);
  }

  public static boolean isDigit(char here) {
    return here >= '0' && here <= '9';
  }

  public static int length(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }

  /** Bytes from {@code start} to {@code end}; half characters become replacement characters. */
  public static String cut(String text, long start, long end) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    if (start < 0 || end < start || end > bytes.length) {
      throw new TemplateFailure("slice bounds out of range");
    }
    return new String(bytes, (int) start, (int) (end - start), StandardCharsets.UTF_8);
  }
}
