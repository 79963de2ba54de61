package dev.mooring.languages.template.text;

import dev.mooring.languages.TemplateFailure;
import java.nio.charset.StandardCharsets;

/** Strings as Go treats them: lengths and cuts count UTF-8 bytes. */
public final class Texts {
  private Texts() {}

  public static String trim(String text) {
    return trimRight(trimLeft(text));
  }

  public static String trimLeft(String text) {
    int start = 0;
    while (start < text.length() && isSpace(text.charAt(start))) {
      start++;
    }
    return text.substring(start);
  }

  public static String trimRight(String text) {
    int end = text.length();
    while (end > 0 && isSpace(text.charAt(end - 1))) {
      end--;
    }
    return text.substring(0, end);
  }

  /** As Go's {@code unicode.IsSpace}. */
  public static boolean isSpace(int code) {
    return switch (code) {
      case '\t',
          '\n',
          0x0b,
          '\f',
          '\r',
          ' ',
          0x85,
          0xa0,
          0x1680,
          0x2028,
          0x2029,
          0x202f,
          0x205f,
          0x3000 ->
          true;
      default -> code >= 0x2000 && code <= 0x200a;
    };
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
