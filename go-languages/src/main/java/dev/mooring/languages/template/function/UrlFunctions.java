package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.MAP;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.languages.template.text.Bytes;
import dev.mooring.languages.template.text.GoUrl;
import dev.mooring.languages.template.text.UrlEscapes;
import dev.mooring.languages.template.text.UrlEscapes.Part;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.TreeMap;

/** sprig's functions on slash-separated paths and URLs, with the rules of Go's net/url. */
final class UrlFunctions {
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

  private static Map<String, Object> parsed(String url) {
    int hash = url.indexOf('#');
    GoUrl read = GoUrl.parse(hash < 0 ? url : url.substring(0, hash));
    var parts = new TreeMap<String, Object>();
    parts.put("scheme", read.scheme());
    parts.put("opaque", read.opaque());
    parts.put("userinfo", read.user());
    parts.put("host", read.host());
    parts.put("hostname", read.hostname());
    parts.put("path", UrlEscapes.unescape(read.path(), Part.PATH));
    parts.put("query", read.query());
    parts.put(
        "fragment", hash < 0 ? "" : UrlEscapes.unescape(url.substring(hash + 1), Part.FRAGMENT));
    parts.replaceAll((name, part) -> Bytes.text((String) part));
    return parts;
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
    // As Go reads a user in front of a host.
    String user =
        userinfo.isEmpty()
            ? ""
            : GoUrl.parse(("proto://" + userinfo + "@host").split("#", 2)[0]).user();
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
    return authority + (first && escaped.split("/", 2)[0].contains(":") ? "./" : "") + escaped;
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
