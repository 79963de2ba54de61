package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;

import java.util.ArrayDeque;

/** sprig's functions on slash-separated paths. */
final class PathFunctions {
  private PathFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("base", a -> base(a.text(0)), TEXT)
        .alias("base", "osBase")
        .add("dir", a -> clean(a.text(0).substring(0, a.text(0).lastIndexOf('/') + 1)), TEXT)
        .alias("dir", "osDir")
        .add("clean", a -> clean(a.text(0)), TEXT)
        .alias("clean", "osClean")
        .add("ext", a -> extension(a.text(0)), TEXT)
        .alias("ext", "osExt")
        .add("isAbs", a -> a.text(0).startsWith("/"), TEXT)
        .alias("isAbs", "osIsAbs");
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
