package dev.mooring.languages.template.function;

import static dev.mooring.languages.template.function.TemplateFunction.Kind.ANY;
import static dev.mooring.languages.template.function.TemplateFunction.Kind.TEXT;

import dev.mooring.languages.GoDuration;
import dev.mooring.languages.template.value.GoDates;
import dev.mooring.languages.template.value.Numbers;
import dev.mooring.languages.template.value.Values;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * sprig's functions on given dates. The local zone is UTC, and nothing stands for the present: what
 * sprig fills in with it is a failure.
 */
final class DateFunctions {
  /** Some 34,000 years. */
  private static final long SECONDS_MAX = 1L << 40;

  private static final String DAY = "2006-01-02";

  private static final List<Map.Entry<String, Duration>> UNITS =
      List.of(
          Map.entry("y", Duration.ofDays(365)),
          Map.entry("mo", Duration.ofDays(30)),
          Map.entry("d", Duration.ofDays(1)),
          Map.entry("h", Duration.ofHours(1)),
          Map.entry("m", Duration.ofMinutes(1)),
          Map.entry("s", Duration.ofSeconds(1)));

  private DateFunctions() {}

  static void register(FunctionTable table) {
    table
        .add("toDate mustToDate", a -> parsed(a), TEXT, TEXT)
        .add("date", a -> format(a, a.text(0), a.any(1), "UTC"), TEXT, ANY)
        .add(
            "dateInZone date_in_zone",
            a -> format(a, a.text(0), a.any(1), a.text(2)),
            TEXT,
            ANY,
            TEXT)
        .add("htmlDate", a -> format(a, DAY, a.any(0), "UTC"), ANY)
        .add("htmlDateInZone", a -> format(a, DAY, a.any(0), a.text(1)), ANY, TEXT)
        .add(
            "dateModify date_modify mustDateModify must_date_modify",
            DateFunctions::modified,
            TEXT,
            ANY)
        .add("unixEpoch", a -> Long.toString(time(a, a.any(0)).toEpochSecond()), ANY)
        .add("duration", a -> GoDates.print(seconds(a.any(0))), ANY)
        .add("durationRound", a -> rounded(length(a)), ANY);
  }

  private static OffsetDateTime parsed(Arguments a) {
    return GoDates.parse(a.text(0), a.text(1))
        .orElseThrow(() -> a.failure("the text does not fit the layout"));
  }

  private static String format(Arguments a, String layout, Object value, String zone) {
    ZoneId id;
    try {
      id = zone.equals("Local") || zone.isEmpty() ? ZoneOffset.UTC : ZoneId.of(zone);
    } catch (DateTimeException e) {
      id = ZoneOffset.UTC;
    }
    return GoDates.format(layout, time(a, value).atZoneSameInstant(id));
  }

  private static OffsetDateTime time(Arguments a, Object value) {
    return switch (value) {
      case OffsetDateTime time -> time;
      case Long seconds when seconds > -SECONDS_MAX && seconds < SECONDS_MAX ->
          Instant.ofEpochSecond(seconds).atOffset(ZoneOffset.UTC);
      case null, default ->
          throw a.failure("expected a date (see toDate) or seconds, got " + Values.type(value));
    };
  }

  private static Object modified(Arguments a) {
    Optional<Duration> by = GoDuration.parse(a.text(0));
    return time(a, a.any(1)).plus(by.orElseThrow(() -> a.failure("the text is no duration")));
  }

  private static Duration seconds(Object value) {
    return Duration.ofSeconds(Math.clamp(Numbers.whole(value), -(1L << 33), 1L << 33));
  }

  /** A text that is no duration counts as 0, a number as nanoseconds. */
  private static Duration length(Arguments a) {
    return switch (a.any(0)) {
      case String text -> GoDuration.parse(text).orElse(Duration.ZERO);
      case Long nanos -> Duration.ofNanos(nanos);
      case OffsetDateTime _ -> throw a.failure("how long a date is ago is not the same every time");
      case null, default -> Duration.ZERO;
    };
  }

  /** In the greatest unit of which there is more than one; a year has 365 days, a month 30. */
  private static String rounded(Duration length) {
    Duration size = length.abs();
    for (Map.Entry<String, Duration> unit : UNITS) {
      if (size.compareTo(unit.getValue()) > 0) {
        return size.dividedBy(unit.getValue()) + unit.getKey();
      }
    }
    return "0s";
  }
}
