package dev.mooring.sandbox.builtin;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.PrinterColumn;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The columns that kubectl shows for built-in resources, from the notation of {@code
 * resources.yaml}.
 */
final class Columns {
  private Columns() {}

  static List<PrinterColumn> of(Map<String, Object> notation) {
    var columns = new ArrayList<PrinterColumn>();
    notation.forEach((name, notated) -> {
      String[] words = Trees.textOrEmpty(notated).split(" ");
      List<String[]> paths = Stream.of(words).skip(2).map(path -> path.split("\\.")).toList();
      String format = words[1].equals("name") ? "name" : "";
      columns.add(new PrinterColumn(name, words[0], format, name, 0, cell(words[1], paths)));
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
      case "last-seen" -> Columns::lastSeen;
      case "subject" -> Columns::subject;
      case "message" -> object -> object.text("message").strip();
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

  private static Object lastSeen(KubeObject event) {
    return Stream.of("lastTimestamp", "eventTime", "firstTimestamp")
        .map(event::text)
        .filter(time -> !time.isEmpty())
        .findFirst()
        .map(time -> time(time, "<invalid>"))
        .orElseGet(() -> created(event));
  }

  private static Object time(String text, String otherwise) {
    try {
      return Instant.parse(text);
    } catch (DateTimeParseException e) {
      return otherwise;
    }
  }

  private static Object subject(KubeObject event) {
    String name = event.text("involvedObject", "name");
    String kind = event.text("involvedObject", "kind").toLowerCase(Locale.ROOT);
    return name.isEmpty() ? kind : kind + "/" + name;
  }
}
