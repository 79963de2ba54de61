package dev.mooring.cli.lint;

import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One thing about an object that its author should change.
 *
 * @param object such as {@code PublishedResource/certificates}
 * @param reason in one word
 * @param message what is wrong, and what to do
 */
record Finding(
    String file, int line, Severity severity, String object, String reason, String message) {
  static final List<String> COLUMNS =
      List.of("LOCATION", "SEVERITY", "OBJECT", "REASON", "MESSAGE");

  /** How bad it is. */
  enum Severity {
    /** An API server or a service refuses the object or a part of it. */
    ERROR,
    /** The object works; a service ignores a part of it, or does more than it says. */
    WARNING;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  List<String> row() {
    // Compilers of expressions quote the expression on lines of their own.
    String inOneLine =
        message.lines().filter(each -> !each.startsWith(" | ")).collect(Collectors.joining("; "));
    return List.of(file + ":" + line, severity.text(), object, reason, inOneLine);
  }

  Map<String, Object> tree() {
    return Trees.ordered(
        "file", file,
        "line", line,
        "severity", severity.text(),
        "object", object,
        "reason", reason,
        "message", message);
  }
}
