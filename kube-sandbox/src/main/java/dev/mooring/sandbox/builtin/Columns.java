package dev.mooring.sandbox.builtin;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.PrinterColumn;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The columns that kubectl shows for built-in resources, from the notation of {@code
 * resources.yaml}.
 */
final class Columns {
  private static final String WIDE = "*";
  private static final String LIMITS = "limits";

  private Columns() {}

  static List<PrinterColumn> of(Map<String, Object> notation) {
    var columns = new ArrayList<PrinterColumn>();
    notation.forEach((name, notated) -> {
      String[] words = Trees.textOrEmpty(notated).split(" ");
      List<String[]> paths = Stream.of(words).skip(2).map(path -> path.split("\\.")).toList();
      String format = words[1].equals("name") ? "name" : "";
      boolean wide = words[0].endsWith(WIDE);
      String type = wide ? words[0].substring(0, words[0].length() - WIDE.length()) : words[0];
      columns.add(new PrinterColumn(name, type, format, name, wide ? 1 : 0, cell(words[1], paths)));
    });
    return columns;
  }

  private static Function<KubeObject, Object> cell(String kind, List<String[]> paths) {
    return switch (kind) {
      case "name" -> KubeObject::name;
      case "age" -> Columns::created;
      case "text" -> object -> joined(paths, object::text);
      case "number" -> object -> number(object, paths.getFirst());
      case "numbers" -> object -> joined(paths, path -> number(object, path).toString());
      case "size" -> object -> paths.stream().mapToLong(path -> size(object, path)).sum();
      case "last-seen" -> EventColumns::lastSeen;
      case "first-seen" -> EventColumns::firstSeen;
      case "subject" -> EventColumns::subject;
      case "source" -> EventColumns::source;
      case "count" -> EventColumns::count;
      case "message" -> EventColumns::message;
      case "quota-requests" -> object -> quota(object, name -> !name.contains(LIMITS));
      case "quota-limits" -> object -> quota(object, name -> name.contains(LIMITS));
      case "subjects" -> object -> subjects(object, paths.getFirst()[0]);
      default -> throw new IllegalStateException("there is no cell " + kind);
    };
  }

  private static String joined(List<String[]> paths, Function<String[], String> text) {
    return paths.stream().map(text).collect(Collectors.joining("/"));
  }

  private static Long number(KubeObject object, String[] path) {
    return object.at(path) instanceof Long number ? number : 0L;
  }

  private static long size(KubeObject object, String[] path) {
    return object.at(path) instanceof List<?> list ? list.size() : object.map(path).size();
  }

  private static Object created(KubeObject object) {
    return time(object.text("metadata", "creationTimestamp"), "<unknown>");
  }

  private static String quota(KubeObject quota, Predicate<String> shown) {
    return quota.map("status", "hard").entrySet().stream()
        .filter(limit -> shown.test(limit.getKey()))
        .sorted(Map.Entry.comparingByKey())
        .map(limit ->
            "%s: %s/%s"
                .formatted(
                    limit.getKey(),
                    quota.map("status", "used").getOrDefault(limit.getKey(), "0"),
                    limit.getValue()))
        .collect(Collectors.joining(", "));
  }

  private static String subjects(KubeObject binding, String kind) {
    return binding.list("subjects").stream()
        .filter(subject -> Trees.text(subject, "kind").equals(kind))
        .map(subject ->
            kind.equals("ServiceAccount")
                ? Trees.text(subject, "namespace") + "/" + Trees.text(subject, "name")
                : Trees.text(subject, "name"))
        .collect(Collectors.joining(", "));
  }

  static Object time(String text, String otherwise) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      return otherwise;
    }
  }
}
