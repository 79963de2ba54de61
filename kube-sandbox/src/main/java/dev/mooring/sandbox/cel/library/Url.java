package dev.mooring.sandbox.cel.library;

import dev.mooring.languages.template.text.GoQuotes;
import java.net.URLDecoder;
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
  /** {@code url()} and what belongs to it. */
  static final List<Overload> FUNCTIONS =
      List.of(
          Overload.unary("url(string) URL", Url::parse),
          Overload.unary("isURL(string) bool", Url::isValid),
          Overload.unary("(URL) getScheme() string", Url::scheme),
          Overload.unary("(URL) getHost() string", (Url url) -> url.host()),
          Overload.unary("(URL) getHostname() string", Url::hostname),
          Overload.unary("(URL) getPort() string", Url::port),
          Overload.unary("(URL) getEscapedPath() string", Url::path),
          Overload.unary("(URL) getQuery() map(string,list(string))", Url::parameters));

  private static final Pattern SCHEME = Pattern.compile("([a-zA-Z][a-zA-Z0-9+.-]*):");
  private static final Pattern PORT = Pattern.compile("(:[0-9]*)?");
  private static final Pattern BAD_ESCAPE = Pattern.compile("%(?![0-9a-fA-F]{2}).{0,2}");
  private static final Pattern USER = Pattern.compile("[A-Za-z0-9._:~!$&'()*+,;=%@-]*");
  private static final Pattern NOT_IN_HOST =
      Pattern.compile("[\\x00-\\x7f&&[^A-Za-z0-9\\-_.~!$&'()*+,;=:\\[\\]<>\"%]]");
  private static final Pattern ESCAPED_ASCII = Pattern.compile("%(?!25)[0-7][0-9a-fA-F]");
  private static final String PLAIN_IN_PATH = "-_.~$&+,/:;=@";
  private static final String KEPT_IN_PATH = PLAIN_IN_PATH + "!'()*[]%";

  /** Throws {@link FunctionError}. */
  static Url parse(String text) {
    int hash = text.indexOf('#');
    return read(text)
        .flatMap(whole -> hash < 0 ? Optional.of(whole) : read(text.substring(0, hash)))
        .orElseThrow(() -> new FunctionError(GoQuotes.quote(text) + " is not a URL"));
  }

  public static boolean isValid(String text) {
    return read(text).isPresent();
  }

  private static Optional<Url> read(String text) {
    if (text.isEmpty() || text.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      return Optional.empty();
    }
    if (text.equals("*")) {
      return Optional.of(new Url("", "", "*", ""));
    }
    Matcher schemed = SCHEME.matcher(text);
    String scheme = schemed.lookingAt() ? schemed.group(1).toLowerCase(Locale.ROOT) : "";
    String rest = scheme.isEmpty() ? text : text.substring(schemed.end());
    int question = rest.indexOf('?');
    String query = question < 0 ? "" : rest.substring(question + 1);
    rest = question < 0 ? rest : rest.substring(0, question);
    if (!rest.startsWith("/")) {
      return scheme.isEmpty() ? Optional.empty() : Optional.of(new Url(scheme, "", "", query));
    }
    Optional<String> host = Optional.of("");
    if (!scheme.isEmpty() && rest.startsWith("//")) {
      int slash = rest.indexOf('/', 2);
      String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      rest = slash < 0 ? "" : rest.substring(slash);
      int at = authority.lastIndexOf('@');
      host =
          host(scheme, authority.substring(at + 1))
              .filter(_ -> at < 0 || USER.matcher(authority.substring(0, at)).matches());
    }
    String path = rest;
    return BAD_ESCAPE.matcher(path).find()
        ? Optional.empty()
        : host.map(read -> new Url(scheme, read, escaped(path), query));
  }

  /** Empty if it is no host. */
  private static Optional<String> host(String scheme, String host) {
    int bracket = host.lastIndexOf('[');
    if (bracket >= 0) {
      int end = host.lastIndexOf(']');
      if (bracket > 0
          || end < 0
          || !PORT.matcher(host.substring(end + 1)).matches()
          || BAD_ESCAPE.matcher(host).find()) {
        return Optional.empty();
      }
      String address = unescaped(host.substring(1, end));
      int zone = address.indexOf('%');
      String bare = zone < 0 ? address : address.substring(0, zone);
      return IpAddress.isAddress(bare) && bare.contains(":")
          ? Optional.of("[" + address + "]" + host.substring(end + 1))
          : Optional.empty();
    }
    boolean web = scheme.equals("http") || scheme.equals("https");
    int colon = web ? host.indexOf(':') : host.lastIndexOf(':');
    boolean odd =
        !PORT.matcher(colon < 0 ? "" : host.substring(colon)).matches()
            || BAD_ESCAPE.matcher(host).find()
            || ESCAPED_ASCII.matcher(host).find()
            || NOT_IN_HOST.matcher(host).find();
    return odd ? Optional.empty() : Optional.of(unescaped(host));
  }

  /** As it is if it holds nothing that has to be escaped, otherwise escaped again. */
  private static String escaped(String path) {
    if (path.chars().allMatch(c -> plain(c, KEPT_IN_PATH))) {
      return path;
    }
    var out = new StringBuilder();
    for (byte each : unescaped(path).getBytes(StandardCharsets.UTF_8)) {
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

  private static String unescaped(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
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
          .computeIfAbsent(URLDecoder.decode(key, StandardCharsets.UTF_8), _ -> new ArrayList<>())
          .add(URLDecoder.decode(value, StandardCharsets.UTF_8));
    }
    return parameters;
  }
}
