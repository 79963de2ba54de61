package dev.mooring.languages.template.value;

import dev.mooring.languages.TemplateFailure;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.TextStyle;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Go's layouts, which write the moment 2006-01-02 15:04:05 -0700 as it shall look. */
public final class GoDates {
  /** With the patterns of {@link DateTimeFormatter}; longest first, so that none hides another. */
  private static final List<String> ELEMENTS =
      List.of(
          """
          January MMMM, Monday EEEE, Z07:00 XXX, -07:00 xxx, Z0700 XX, -0700 xx, 2006 uuuu, Jan MMM,
          Mon EEE, -07 x, 002 DDD, 01 MM, 02 dd, 03 hh, 04 mm, 05 ss, 06 uu, 15 HH, PM a, _2 ppd,
          1 M, 2 d, 3 h, 4 m, 5 s
          """
              .strip()
              .split("[ ,]\\s*"));

  private static final Pattern FRACTION = Pattern.compile("[.,](0{1,9}|9{1,9})(?![0-9])");

  static final String RFC3339 = "2006-01-02T15:04:05Z07:00";

  /** What a time without a value is. */
  static final OffsetDateTime ZERO = OffsetDateTime.of(1, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

  private GoDates() {}

  public static String format(String layout, ZonedDateTime time) {
    try {
      return builder(layout).toFormatter(Locale.ENGLISH).format(time);
    } catch (DateTimeException | IllegalArgumentException e) {
      throw new TemplateFailure("the date layout cannot be used");
    }
  }

  /** Empty if the text does not fit; what the layout leaves out is the start of year 0 in UTC. */
  public static Optional<OffsetDateTime> parse(String layout, String text) {
    try {
      DateTimeFormatter formatter =
          builder(layout)
              .parseDefaulting(ChronoField.YEAR, 0)
              .parseDefaulting(ChronoField.MONTH_OF_YEAR, 1)
              .parseDefaulting(ChronoField.DAY_OF_MONTH, 1)
              .parseDefaulting(ChronoField.HOUR_OF_DAY, 0)
              .parseDefaulting(ChronoField.OFFSET_SECONDS, 0)
              .toFormatter(Locale.ENGLISH);
      return Optional.of(OffsetDateTime.from(formatter.parse(text)));
    } catch (DateTimeException | IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static DateTimeFormatterBuilder builder(String layout) {
    var builder = new DateTimeFormatterBuilder();
    Matcher fraction = FRACTION.matcher(layout);
    int at = 0;
    while (at < layout.length()) {
      int start = at;
      if (layout.startsWith("MST", at)) {
        builder.appendZoneText(TextStyle.SHORT);
        at += 3;
      } else if (fraction.region(at, layout.length()).lookingAt()) {
        int digits = fraction.end() - at - 1;
        boolean zeros = layout.charAt(at + 1) == '0';
        builder.appendFraction(ChronoField.NANO_OF_SECOND, zeros ? digits : 0, digits, true);
        at = fraction.end();
      } else {
        for (int i = 0; i < ELEMENTS.size() && at == start; i += 2) {
          if (layout.startsWith(ELEMENTS.get(i), at)) {
            builder.appendPattern(ELEMENTS.get(i + 1));
            at += ELEMENTS.get(i).length();
          }
        }
      }
      if (at == start) {
        builder.appendLiteral(layout.charAt(at++));
      }
    }
    return builder;
  }

  /** As Go prints a time. */
  public static String print(OffsetDateTime time) {
    return format("2006-01-02 15:04:05.999999999 -0700 ", time.toZonedDateTime())
        + (time.getOffset().equals(ZoneOffset.UTC)
            ? "UTC"
            : format("-0700", time.toZonedDateTime()));
  }

  /** As Go prints a duration of whole seconds. */
  public static String print(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    Duration length = duration.abs();
    return (duration.isNegative() ? "-" : "")
        + (length.toHours() > 0 ? length.toHours() + "h" : "")
        + (length.toMinutes() > 0 ? length.toMinutesPart() + "m" : "")
        + length.toSecondsPart()
        + "s";
  }
}
