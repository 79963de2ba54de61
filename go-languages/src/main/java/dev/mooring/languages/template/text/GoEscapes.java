package dev.mooring.languages.template.text;

/** The escapes that text/template has as functions. */
public final class GoEscapes {
  private GoEscapes() {}

  public static String html(String text) {
    return text.replace("&", "&amp;")
        .replace("\0", "\ufffd")
        .replace("\"", "&#34;")
        .replace("'", "&#39;")
        .replace("<", "&lt;")
        .replace(">", "&gt;");
  }

  public static String script(String text) {
    var out = new StringBuilder();
    text.codePoints()
        .forEach(code -> {
          if ("\\'\"".indexOf(code) >= 0) {
            out.append('\\').appendCodePoint(code);
          } else if (code < ' ' || "<>&=".indexOf(code) >= 0) {
            out.append("\\u%04X".formatted(code));
          } else {
            out.appendCodePoint(code);
          }
        });
    return out.toString();
  }

  public static String query(String text) {
    return UrlEscapes.escape(Bytes.of(text), UrlEscapes.Part.QUERY).replace("%20", "+");
  }
}
