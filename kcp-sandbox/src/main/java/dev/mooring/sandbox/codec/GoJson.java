package dev.mooring.sandbox.codec;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * JSON as Go's decoder reads it where the answer shows it: it says in its own words why a text is
 * no JSON, and notices fields that an object has twice. Source: {@code encoding/json/scanner.go}
 * and {@code sigs.k8s.io/json}.
 */
public final class GoJson {
  private static final String UNEXPECTED_END = "unexpected end of JSON input";
  private static final String VALUE = "looking for beginning of value";
  private static final String KEY = "looking for beginning of object key string";
  private static final int FAULTS_MAX = 100;

  /** What Go does not leave to browsers, as the bytes of its UTF-8. */
  private static final Map<String, String> ESCAPES =
      Map.of(
          "<", "\\u003c",
          ">", "\\u003e",
          "&", "\\u0026",
          "\u00e2\u0080\u00a8", "\\u2028",
          "\u00e2\u0080\u00a9", "\\u2029");

  private final byte[] text;
  private final Set<String> unknown;
  private final StringBuilder path = new StringBuilder();
  private final Set<String> faults = new LinkedHashSet<>();
  private boolean skipping;
  private int at;

  private GoJson(byte[] text, Collection<String> unknown) {
    this.text = text;
    this.unknown = Set.copyOf(unknown);
  }

  /** Any JSON value as a frozen tree; throws {@link MalformedJson} with Go's message. */
  public static @Nullable Object read(byte[] text) {
    try {
      return KubeJson.read(text);
    } catch (MalformedJson e) {
      new GoJson(text, List.of()).document();
      throw e;
    }
  }

  /**
   * What a strict reader says of fields that an object of the text has more than once or that it
   * does not know, in the order of the text; at most {@value #FAULTS_MAX}. What is below a field
   * that it does not know it skips.
   *
   * @param unknown paths such as {@code spec.parts[0].name}
   * @throws MalformedJson as {@link #read}
   */
  public static List<String> strictFaults(byte[] text, Collection<String> unknown) {
    var scan = new GoJson(text, unknown);
    scan.document();
    return List.copyOf(scan.faults);
  }

  /** As {@code json.Encoder} ends and escapes it: of a text that is JSON without white space. */
  public static byte[] encoded(byte[] json) {
    String text = new String(json, StandardCharsets.ISO_8859_1);
    String line = text.endsWith("\n") ? text : text + "\n";
    for (Map.Entry<String, String> escape : ESCAPES.entrySet()) {
      line = line.replace(escape.getKey(), escape.getValue());
    }
    return line == text ? json : line.getBytes(StandardCharsets.ISO_8859_1);
  }

  /** As {@code json.MarshalIndent} with two spaces: of a text that is one line of JSON. */
  public static byte[] indented(byte[] json) {
    var out = new ByteArrayOutputStream(json.length * 2);
    int depth = 0;
    boolean quoted = false;
    for (int i = 0; i < json.length; i++) {
      byte c = json[i];
      if (quoted) {
        out.write(c);
        if (c == '\\') {
          out.write(json[++i]);
        }
        quoted = c != '"';
        continue;
      }
      switch (c) {
        case '{', '[' -> {
          out.write(c);
          boolean empty = json[i + 1] == '}' || json[i + 1] == ']';
          if (empty) {
            out.write(json[++i]);
          } else {
            breakLine(out, ++depth);
          }
        }
        case '}', ']' -> {
          breakLine(out, --depth);
          out.write(c);
        }
        case ',' -> {
          out.write(c);
          breakLine(out, depth);
        }
        case ':' -> {
          out.write(c);
          out.write(' ');
        }
        case '\n' -> {}
        default -> {
          quoted = c == '"';
          out.write(c);
        }
      }
    }
    return out.toByteArray();
  }

  private static void breakLine(ByteArrayOutputStream out, int depth) {
    out.write('\n');
    for (int i = 0; i < depth; i++) {
      out.write(' ');
      out.write(' ');
    }
  }

  private void document() {
    value(0);
    skipSpace();
    if (at < text.length) {
      throw invalid("after top-level value");
    }
  }

  private void value(int depth) {
    if (depth > Trees.DEPTH_MAX) {
      throw new MalformedJson(Trees.TOO_DEEP);
    }
    skipSpace();
    switch (peek()) {
      case '{' -> object(depth);
      case '[' -> array(depth);
      case '"' -> string();
      case 't' -> literal("true");
      case 'f' -> literal("false");
      case 'n' -> literal("null");
      case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9' -> number();
      default -> throw invalid(VALUE);
    }
  }

  private void object(int depth) {
    at++;
    skipSpace();
    if (peek() == '}') {
      at++;
      return;
    }
    var keys = new HashSet<String>();
    while (true) {
      skipSpace();
      if (peek() != '"') {
        throw invalid(KEY);
      }
      String key = key();
      int length = path.length();
      path.append(length == 0 ? "" : ".").append(key);
      boolean skips = skipping;
      if (!skipping && !unknown.isEmpty() && unknown.contains(path.toString())) {
        fault("unknown");
        skipping = true;
      } else if (!keys.add(key) && !skipping) {
        fault("duplicate");
      }
      skipSpace();
      if (peek() != ':') {
        throw invalid("after object key");
      }
      at++;
      value(depth + 1);
      path.setLength(length);
      skipping = skips;
      skipSpace();
      if (peek() == '}') {
        at++;
        return;
      }
      if (peek() != ',') {
        throw invalid("after object key:value pair");
      }
      at++;
    }
  }

  private void fault(String kind) {
    if (faults.size() < FAULTS_MAX) {
      faults.add(kind + " field \"" + path + "\"");
    }
  }

  private void array(int depth) {
    at++;
    skipSpace();
    if (peek() == ']') {
      at++;
      return;
    }
    for (int index = 0; ; index++) {
      int length = path.length();
      path.append('[').append(index).append(']');
      value(depth + 1);
      path.setLength(length);
      skipSpace();
      if (peek() == ']') {
        at++;
        return;
      }
      if (peek() != ',') {
        throw invalid("after array element");
      }
      at++;
    }
  }

  private String key() {
    int from = at;
    boolean escaped = string();
    return escaped
        ? Trees.textOrEmpty(KubeJson.read(java.util.Arrays.copyOfRange(text, from, at)))
        : new String(text, from + 1, at - from - 2, StandardCharsets.UTF_8);
  }

  /** Answers whether anything in it is escaped. */
  private boolean string() {
    at++;
    boolean escaped = false;
    while (true) {
      char c = peek();
      if (c == '"') {
        at++;
        return escaped;
      }
      if (c < ' ') {
        throw invalid("in string literal");
      }
      at++;
      if (c == '\\') {
        escaped = true;
        escape();
      }
    }
  }

  private void escape() {
    char c = peek();
    if ("\"\\/bfnrtu".indexOf(c) < 0) {
      throw invalid("in string escape code");
    }
    at++;
    if (c == 'u') {
      for (int digit = 0; digit < 4; digit++) {
        if (Character.digit(peek(), 16) < 0) {
          throw invalid("in \\u hexadecimal character escape");
        }
        at++;
      }
    }
  }

  private void literal(String word) {
    for (int index = 0; index < word.length(); index++, at++) {
      if (next() != word.charAt(index)) {
        throw invalid("in literal " + word + " (expecting '" + word.charAt(index) + "')");
      }
    }
  }

  private void number() {
    if (peek() == '-') {
      at++;
      requireDigit("in numeric literal");
    }
    if (peek() == '0') {
      at++;
    } else {
      digits();
    }
    if (is('.')) {
      at++;
      requireDigit("after decimal point in numeric literal");
      digits();
    }
    if (is('e') || is('E')) {
      at++;
      if (is('+') || is('-')) {
        at++;
      }
      requireDigit("in exponent of numeric literal");
      digits();
    }
  }

  private void digits() {
    while (at < text.length && Character.isDigit((char) text[at])) {
      at++;
    }
  }

  private void requireDigit(String where) {
    if (!Character.isDigit(next())) {
      throw invalid(where);
    }
  }

  private boolean is(char c) {
    return at < text.length && text[at] == c;
  }

  /** A space at the end, as Go's scanner tries one there. */
  private char next() {
    return at < text.length ? peek() : ' ';
  }

  private char peek() {
    if (at >= text.length) {
      throw new MalformedJson(UNEXPECTED_END);
    }
    return (char) (text[at] & 0xff);
  }

  private void skipSpace() {
    while (at < text.length && " \t\r\n".indexOf(text[at]) >= 0) {
      at++;
    }
  }

  private MalformedJson invalid(String where) {
    char c = next();
    String shown =
        switch (c) {
          case '\'' -> "'\\''";
          case '"' -> "'\"'";
          case '\n' -> "'\\n'";
          case '\r' -> "'\\r'";
          case '\t' -> "'\\t'";
          case '\\' -> "'\\\\'";
          default -> c < ' ' ? "'\\x%02x'".formatted((int) c) : "'" + c + "'";
        };
    return new MalformedJson("invalid character " + shown + " " + where);
  }
}
