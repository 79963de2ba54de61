package dev.mooring.sandbox.cel.library;

import com.google.common.net.InetAddresses;
import dev.mooring.languages.template.text.GoQuotes;
import java.io.ByteArrayOutputStream;
import java.net.Inet6Address;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An absolute URL or an absolute path as Go's {@code net/url} reads it.
 *
 * @param host with its port, an IPv6 address in brackets
 * @param path with escapes
 * @param query without the question mark
 */
public record Url(String scheme, String host, String path, String query) {
  private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):");
  private static final Pattern PORT = Pattern.compile("(:[0-9]*)?");
  private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2}).{0,2}");
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9._:~!$&'()*+,;=%@-]*");
  private static final Pattern NOT_IN_HOST =
      Pattern.compile("[\\x00-\\x7f&&[^A-Za-z0-9\\-_.~!$&'()*+,;=:\\[\\]<>\"%]]");
  private static final Pattern ESCAPED_ASCII = Pattern.compile("%(?!25)[0-7][0-9a-fA-F]");
  private static final String PLAIN_IN_PATH = "-_.~$&+,/:;=@";
  private static final String KEPT_IN_PATH = PLAIN_IN_PATH + "!'()*[]%";

  /** Why a text is no URL. */
  private static final class Unparsable extends RuntimeException {
    private static final long serialVersionUID = 1;

    Unparsable(String message) {
      super(message, null, false, false);
    }
  }

  /** Throws {@link FunctionError}. */
  static Url parse(String text) {
    problem(text)
        .ifPresent(why -> {
          throw new FunctionError("URL parse error during conversion from string: " + why);
        });
    int hash = text.indexOf('#');
    return read(hash < 0 ? text : text.substring(0, hash));
  }

  /** What Go says of a text that is no URL; empty if it is one. */
  public static Optional<String> problem(String text) {
    try {
      read(text);
      return Optional.empty();
    } catch (Unparsable e) {
      return Optional.of("parse %s: %s".formatted(GoQuotes.quote(text), e.getMessage()));
    }
  }

  private static Url read(String text) {
    if (text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      throw new Unparsable("net/url: invalid control character in URL");
    }
    if (text.isEmpty()) {
      throw new Unparsable("empty url");
    }
    if (text.equals("*")) {
      return new Url("", "", "*", "");
    }
    if (text.startsWith(":")) {
      throw new Unparsable("missing protocol scheme");
    }
    Matcher schemed = SCHEME.matcher(text);
    String scheme = schemed.lookingAt() ? schemed.group(1).toLowerCase(Locale.ROOT) : "";
    String rest = scheme.isEmpty() ? text : text.substring(schemed.end());
    int question = rest.indexOf('?');
    String query = question < 0 ? "" : rest.substring(question + 1);
    rest = question < 0 ? rest : rest.substring(0, question);
    if (!rest.startsWith("/")) {
      if (scheme.isEmpty()) {
        throw new Unparsable("invalid URI for request");
      }
      return new Url(scheme, "", "", query);
    }
    String host = "";
    if (!scheme.isEmpty() && rest.startsWith("//")) {
      int slash = rest.indexOf('/', 2);
      String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      rest = slash < 0 ? "" : rest.substring(slash);
      int at = authority.lastIndexOf('@');
      host = host(scheme, authority.substring(at + 1));
      if (at >= 0 && !USER.matcher(authority.substring(0, at)).matches()) {
        throw new Unparsable("net/url: invalid userinfo");
      }
    }
    requireEscapes(rest);
    return new Url(scheme, host, escaped(rest), query);
  }

  private static String host(String scheme, String host) {
    int bracket = host.lastIndexOf('[');
    if (bracket > 0) {
      throw new Unparsable("invalid IP-literal");
    }
    if (bracket == 0) {
      int end = host.lastIndexOf(']');
      if (end < 0) {
        throw new Unparsable("missing ']' in host");
      }
      requirePort(host.substring(end + 1));
      String address = unescaped(host.substring(1, end), Plus.PLUS);
      int zone = address.indexOf('%');
      String bare = zone < 0 ? address : address.substring(0, zone);
      IpAddress.problem(bare)
          .ifPresent(why -> {
            throw new Unparsable("invalid host: " + why);
          });
      if (!bare.contains(":") && !(InetAddresses.forString(bare) instanceof Inet6Address)) {
        throw new Unparsable("invalid IP-literal");
      }
      return "[" + address + "]" + host.substring(end + 1);
    }
    boolean web = scheme.equals("http") || scheme.equals("https");
    int colon = web ? host.indexOf(':') : host.lastIndexOf(':');
    requirePort(colon < 0 ? "" : host.substring(colon));
    requireEscapes(host);
    Matcher forbidden = ESCAPED_ASCII.matcher(host);
    if (forbidden.find()) {
      throw new Unparsable("invalid URL escape " + GoQuotes.quote(forbidden.group()));
    }
    Matcher bad = NOT_IN_HOST.matcher(host);
    if (bad.find()) {
      throw new Unparsable(
          "invalid character %s in host name".formatted(GoQuotes.quote(bad.group())));
    }
    return unescaped(host, Plus.PLUS);
  }

  private static void requirePort(String port) {
    if (!PORT.matcher(port).matches()) {
      throw new Unparsable("invalid port %s after host".formatted(GoQuotes.quote(port)));
    }
  }

  private static void requireEscapes(String text) {
    Matcher bad = BAD_ESCAPE.matcher(text);
    if (bad.find()) {
      throw new Unparsable("invalid URL escape " + GoQuotes.quote(bad.group()));
    }
  }

  /** As it is if it holds nothing that has to be escaped, otherwise escaped again. */
  private static String escaped(String path) {
    if (path.chars().allMatch(c -> plain(c, KEPT_IN_PATH))) {
      return path;
    }
    var out = new StringBuilder();
    for (byte each : unescaped(path, Plus.PLUS).getBytes(StandardCharsets.UTF_8)) {
      int c = each & 0xff;
      out.append(plain(c, PLAIN_IN_PATH) ? String.valueOf((char) c) : "%%%02X".formatted(c));
    }
    return out.toString();
  }

  private static boolean plain(int c, String also) {
    return c >= 'a' && c <= 'z'
        || c >= 'A' && c <= 'Z'
        || c >= '0' && c <= '9'
        || also.indexOf(c) >= 0;
  }

  /** What a plus sign stands for. */
  private enum Plus {
    PLUS,
    SPACE
  }

  private static String unescaped(String text, Plus plus) {
    var bytes = new ByteArrayOutputStream();
    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < raw.length; i++) {
      if (raw[i] == '%' && i + 2 < raw.length) {
        bytes.write(Integer.parseInt(new String(raw, i + 1, 2, StandardCharsets.UTF_8), 16));
        i += 2;
      } else {
        bytes.write(raw[i] == '+' && plus == Plus.SPACE ? ' ' : raw[i]);
      }
    }
    return bytes.toString(StandardCharsets.UTF_8);
  }

  String hostname() {
    int colon = host.lastIndexOf(':');
    boolean hasPort = colon >= 0 && PORT.matcher(host.substring(colon)).matches();
    String name = hasPort ? host.substring(0, colon) : host;
    return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
  }

  String port() {
    int colon = host.lastIndexOf(':');
    return colon >= 0 && PORT.matcher(host.substring(colon)).matches()
        ? host.substring(colon + 1)
        : "";
  }

  /** Parameters that cannot be read are left out. */
  Map<String, List<String>> parameters() {
    var parameters = new LinkedHashMap<String, List<String>>();
    for (String pair : query.split("&")) {
      if (pair.isEmpty() || pair.contains(";") || BAD_ESCAPE.matcher(pair).find()) {
        continue;
      }
      int equals = pair.indexOf('=');
      String key = equals < 0 ? pair : pair.substring(0, equals);
      String value = equals < 0 ? "" : pair.substring(equals + 1);
      parameters
          .computeIfAbsent(unescaped(key, Plus.SPACE), absent -> new ArrayList<>())
          .add(unescaped(value, Plus.SPACE));
    }
    return parameters;
  }
}
