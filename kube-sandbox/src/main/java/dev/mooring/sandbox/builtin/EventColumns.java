package dev.mooring.sandbox.builtin;

import dev.mooring.model.object.KubeObject;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What Tables show of events, in both of their versions: the newer one calls the same things by
 * other names.
 */
final class EventColumns {
  private static final String UNKNOWN = "<unknown>";

  private EventColumns() {}

  private static String first(KubeObject event, String... names) {
    return Stream.of(names).map(event::text).filter(text -> !text.isEmpty()).findFirst().orElse("");
  }

  private static String involved(KubeObject event, String field) {
    String text = event.text("involvedObject", field);
    return text.isEmpty() ? event.text("regarding", field) : text;
  }

  static Object firstSeen(KubeObject event) {
    return Columns.time(
        first(event, "firstTimestamp", "deprecatedFirstTimestamp", "eventTime"), UNKNOWN);
  }

  static Object lastSeen(KubeObject event) {
    if (!event.map("series").isEmpty()) {
      return Columns.time(event.text("series", "lastObservedTime"), UNKNOWN);
    }
    String last = first(event, "lastTimestamp", "deprecatedLastTimestamp");
    return last.isEmpty() ? firstSeen(event) : Columns.time(last, UNKNOWN);
  }

  static Object count(KubeObject event) {
    return Stream.of(event.at("series", "count"), event.at("count"), event.at("deprecatedCount"))
        .filter(count -> count instanceof Long number && number > 0)
        .findFirst()
        .orElse(1L);
  }

  static String subject(KubeObject event) {
    String name = involved(event, "name");
    String kind = involved(event, "kind").toLowerCase(Locale.ROOT);
    return name.isEmpty() ? kind : kind + "/" + name;
  }

  static String source(KubeObject event) {
    String kept = event.map("source").isEmpty() ? "deprecatedSource" : "source";
    Stream<String> source =
        event.text(kept, "component").isEmpty()
            ? Stream.of(
                first(event, "reportingComponent", "reportingController"),
                event.text("reportingInstance"))
            : Stream.of(event.text(kept, "component"), event.text(kept, "host"));
    return source.filter(text -> !text.isEmpty()).collect(Collectors.joining(", "));
  }

  static String message(KubeObject event) {
    return first(event, "message", "note").strip();
  }
}
