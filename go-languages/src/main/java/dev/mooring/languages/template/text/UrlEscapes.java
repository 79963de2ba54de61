package dev.mooring.languages.template.text;

import dev.mooring.languages.ExpressionFailure;
import java.util.Locale;

/** Percent signs in URLs, as Go's net/url sets and reads them. Texts are {@link Bytes}. */
public final class UrlEscapes {
  private UrlEscapes() {}

  /** Parts of a URL, with the signs, apart from letters and digits, that need no escape in them. */
  public enum Part {
    PATH("-_.~$&+,/:;=@"),
    USER("-_.~$&+,;="),
    HOST("-_.~!$&'()*+,;=:[]<>\""),
    ZONE("-_.~!$&'()*+,;=:[]<>\""),
    FRAGMENT("-_.~$&+,/:;=?@!()*"),
    QUERY("-_.~");

    private final String plain;

    Part(String plain) {
      this.plain = plain;
    }

    private boolean escapes(char here) {
      return !isLetterOrDigit(here) && plain.indexOf(here) < 0;
    }
  }

  static boolean isLetterOrDigit(char here) {
    return here >= 'a' && here <= 'z' || here >= 'A' && here <= 'Z' || here >= '0' && here <= '9';
  }

  public static String escape(String text, Part part) {
    var out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char here = text.charAt(i);
      out.append(part.escapes(here) ? "%%%02X".formatted((int) here) : here);
    }
    return out.toString();
  }

  /** Throws {@link ExpressionFailure} for an escape or a sign that cannot be in this part. */
  public static String unescape(String text, Part part) {
    var out = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char here = text.charAt(i);
      if (here == '%') {
        out.append(code(text, i, part));
        i += 2;
        continue;
      }
      if ((part == Part.HOST || part == Part.ZONE) && here < 0x80 && part.escapes(here)) {
        throw new ExpressionFailure("the URL has a sign that cannot be in a host's name");
      }
      out.append(here);
    }
    return out.toString();
  }

  private static char code(String text, int at, Part part) {
    String digits = text.substring(at + 1, Math.min(text.length(), at + 3));
    if (!digits.matches("[0-9a-fA-F]{2}")) {
      throw new ExpressionFailure("the URL has an escape that is none");
    }
    char code = (char) Integer.parseInt(digits, 16);
    boolean percent = digits.toLowerCase(Locale.ROOT).equals("25");
    boolean allowed =
        switch (part) {
          case HOST -> percent || code >= 0x80;
          case ZONE -> percent || code == ' ' || !Part.HOST.escapes(code);
          case PATH, USER, FRAGMENT, QUERY -> true;
        };
    if (!allowed) {
      throw new ExpressionFailure("the URL has an escape that cannot be in a host's name");
    }
    return code;
  }
}
