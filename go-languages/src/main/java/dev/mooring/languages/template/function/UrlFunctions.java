package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.MAP;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;

import com.google.common.net.InetAddresses;
import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.text.Bytes;
import dev.mooring.languages.template.text.UrlEscapes;
import dev.mooring.languages.template.text.UrlEscapes.Part;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** sprig's functions on slash-separated paths and URLs, with the rules of Go's net/url. */
final class UrlFunctions {
  private static final Pattern PORT = Pattern.compile("(:[0-9]*)?");

  private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*");

  private static final Pattern USER = Pattern.compile("[A-Za-z0-9._:~!$&'()*+,;=%@-]*");

  private UrlFunctions() {}

  static void register(FunctionTable table) {
    table
        .make("urlParse", a -> parsed(Bytes.of(a.text(0))), TEXT)
        .add("urlJoin", a -> Bytes.text(joined(a.map(0))), MAP)
        .add("base osBase", a -> base(a.text(0)), TEXT)
        .add("dir osDir", a -> clean(a.text(0).substring(0, a.text(0).lastIndexOf('/') + 1)), TEXT)
        .add("clean osClean", a -> clean(a.text(0)), TEXT)
        .add("ext osExt", a -> extension(a.text(0)), TEXT)
        .add("isAbs osIsAbs", a -> a.text(0).startsWith("/"), TEXT);
  }

  private static Object parsed(String url) {
    var parts = new TreeMap<String, Object>();
    for (String name :
        List.of("scheme", "host", "hostname", "path", "query", "opaque", "fragment", "userinfo")) {
      parts.put(name, "");
    }
    int hash = url.indexOf('#');
    String rest = hash < 0 ? url : url.substring(0, hash);
    if (rest.chars().anyMatch(c -> c < ' ' || c == 0x7f)) {
      throw new TemplateFailure("urlParse: the URL has a control character");
    }
    if (hash >= 0) {
      parts.put("fragment", UrlEscapes.unescape(url.substring(hash + 1), Part.FRAGMENT));
    }
    String scheme = scheme(rest);
    parts.put("scheme", scheme.toLowerCase(Locale.ROOT));
    rest = rest.substring(scheme.isEmpty() ? 0 : scheme.length() + 1);
    int question = rest.indexOf('?');
    if (question >= 0) {
      parts.put("query", rest.substring(question + 1));
      rest = rest.substring(0, question);
    }
    if (!rest.startsWith("/")) {
      if (!scheme.isEmpty()) {
        parts.put("opaque", rest);
        return texts(parts);
      }
      if (firstSegment(rest).contains(":")) {
        throw new TemplateFailure("urlParse: the first segment of a path has a colon");
      }
    }
    if (rest.startsWith("//") && (!scheme.isEmpty() || !rest.startsWith("///"))) {
      int slash = rest.indexOf('/', 2);
      String authority = slash < 0 ? rest.substring(2) : rest.substring(2, slash);
      rest = slash < 0 ? "" : rest.substring(slash);
      int at = authority.lastIndexOf('@');
      String host = host(scheme.toLowerCase(Locale.ROOT), authority.substring(at + 1));
      parts.put("host", host);
      parts.put("hostname", hostname(host));
      parts.put("userinfo", at < 0 ? "" : user(authority.substring(0, at)));
    }
    parts.put("path", UrlEscapes.unescape(rest, Part.PATH));
    return texts(parts);
  }

  private static Map<String, Object> texts(Map<String, Object> parts) {
    parts.replaceAll((name, part) -> Bytes.text((String) part));
    return parts;
  }

  private static String scheme(String url) {
    int colon = url.indexOf(':');
    if (colon == 0) {
      throw new TemplateFailure("urlParse: the scheme is missing");
    }
    return colon > 0 && SCHEME.matcher(url.substring(0, colon)).matches()
        ? url.substring(0, colon)
        : "";
  }

  private static String firstSegment(String path) {
    int slash = path.indexOf('/');
    return slash < 0 ? path : path.substring(0, slash);
  }

  private static String host(String scheme, String host) {
    int bracket = host.lastIndexOf('[');
    if (bracket > 0) {
      throw new TemplateFailure("urlParse: the host is no IP address");
    }
    if (bracket == 0) {
      return address(host);
    }
    boolean web = scheme.equals("http") || scheme.equals("https");
    int colon = web ? host.indexOf(':') : host.lastIndexOf(':');
    requirePort(colon < 0 ? "" : host.substring(colon));
    return UrlEscapes.unescape(host, Part.HOST);
  }

  private static String address(String host) {
    int end = host.lastIndexOf(']');
    if (end < 0) {
      throw new TemplateFailure("urlParse: \"]\" is missing in the host");
    }
    requirePort(host.substring(end + 1));
    String inside = host.substring(1, end);
    int zone = inside.indexOf("%25");
    String address = UrlEscapes.unescape(zone < 0 ? inside : inside.substring(0, zone), Part.HOST);
    String name = zone < 0 ? "" : UrlEscapes.unescape(inside.substring(zone), Part.ZONE);
    if (!address.contains(":") || !InetAddresses.isInetAddress(address) || name.equals("%")) {
      throw new TemplateFailure("urlParse: the host is no IPv6 address");
    }
    return "[" + address + name + "]" + host.substring(end + 1);
  }

  private static void requirePort(String port) {
    if (!PORT.matcher(port).matches()) {
      throw new TemplateFailure("urlParse: the port is no number");
    }
  }

  private static String hostname(String host) {
    int colon = host.lastIndexOf(':');
    String name =
        colon >= 0 && PORT.matcher(host.substring(colon)).matches()
            ? host.substring(0, colon)
            : host;
    return name.startsWith("[") && name.endsWith("]") ? name.substring(1, name.length() - 1) : name;
  }

  /** With escapes where Go sets them. */
  private static String user(String text) {
    if (!USER.matcher(text).matches()) {
      throw new TemplateFailure("urlParse: the user has a sign that cannot be in a URL");
    }
    int colon = text.indexOf(':');
    return colon < 0
        ? name(text)
        : name(text.substring(0, colon)) + ":" + name(text.substring(colon + 1));
  }

  private static String name(String text) {
    return UrlEscapes.escape(UrlEscapes.unescape(text, Part.USER), Part.USER);
  }

  private static String joined(Map<String, Object> parts) {
    String scheme = part(parts, "scheme");
    String opaque = part(parts, "opaque");
    String query = part(parts, "query");
    String fragment = part(parts, "fragment");
    String url = scheme.isEmpty() ? "" : scheme + ":";
    url += opaque.isEmpty() ? place(parts, scheme) : opaque;
    url += query.isEmpty() ? "" : "?" + query;
    return url + (fragment.isEmpty() ? "" : "#" + UrlEscapes.escape(fragment, Part.FRAGMENT));
  }

  private static String place(Map<String, Object> parts, String scheme) {
    String host = part(parts, "host");
    String path = part(parts, "path");
    String userinfo = part(parts, "userinfo");
    String user = userinfo.isEmpty() ? "" : reread(userinfo);
    String authority = "";
    if (!(host.isEmpty() && userinfo.isEmpty())) {
      authority =
          "//" + (userinfo.isEmpty() ? "" : user + "@") + UrlEscapes.escape(host, Part.HOST);
    } else if (!scheme.isEmpty() && !path.isEmpty()) {
      authority = "//";
    }
    String escaped = path.equals("*") ? path : UrlEscapes.escape(path, Part.PATH);
    if (!path.isEmpty() && !path.startsWith("/") && !host.isEmpty()) {
      escaped = "/" + escaped;
    }
    boolean first = scheme.isEmpty() && authority.isEmpty();
    return authority + (first && firstSegment(escaped).contains(":") ? "./" : "") + escaped;
  }

  /** As Go reads a user in front of a host. */
  private static String reread(String userinfo) {
    @SuppressWarnings("unchecked") // parsed makes one of texts
    var parts = (Map<String, Object>) parsed("proto://" + userinfo + "@host");
    return Bytes.of((String) parts.get("userinfo"));
  }

  private static String part(Map<String, Object> parts, String name) {
    return switch (parts.getOrDefault(name, "")) {
      case String text -> Bytes.of(text);
      case null, default -> throw new TemplateFailure("urlJoin: \"" + name + "\" is not a string");
    };
  }

  private static String base(String path) {
    if (path.isEmpty()) {
      return ".";
    }
    String trimmed = path.replaceAll("/+$", "");
    return trimmed.isEmpty() ? "/" : trimmed.substring(trimmed.lastIndexOf('/') + 1);
  }

  private static String extension(String path) {
    int dot = path.lastIndexOf('.');
    return dot > path.lastIndexOf('/') ? path.substring(dot) : "";
  }

  /** The shortest path that means the same. */
  private static String clean(String path) {
    boolean rooted = path.startsWith("/");
    var parts = new ArrayDeque<String>();
    for (String part : path.split("/")) {
      if (part.isEmpty() || part.equals(".")) {
        continue;
      }
      if (!part.equals("..")) {
        parts.addLast(part);
      } else if (!parts.isEmpty() && !parts.peekLast().equals("..")) {
        parts.removeLast();
      } else if (!rooted) {
        parts.addLast(part);
      }
    }
    String joined = String.join("/", parts);
    return rooted ? "/" + joined : joined.isEmpty() ? "." : joined;
  }
}
