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
          switch (code) {
            case '\\' -> out.append("\\\\");
            case '\'' -> out.append("\\'");
            case '"' -> out.append("\\\"");
            case '<' -> out.append("\\u003C");
            case '>' -> out.append("\\u003E");
            case '&' -> out.append("\\u0026");
            case '=' -> out.append("\\u003D");
            default -> {
              if (code < ' ') {
                out.append("\\u%04X".formatted(code));
              } else {
                out.appendCodePoint(code);
              }
            }
          }
        });
    return out.toString();
  }

  public static String query(String text) {
    return UrlEscapes.escape(Bytes.of(text), UrlEscapes.Part.QUERY).replace("%20", "+");
  }
}
