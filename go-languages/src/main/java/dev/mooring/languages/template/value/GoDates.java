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
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Go's layouts, which write the moment 2006-01-02 15:04:05 -0700 as it shall look. */
public final class GoDates {
  private static final Map<String, String> ELEMENTS = elements();

  static final String RFC3339 = "2006-01-02T15:04:05Z07:00";

  /** What a time without a value is. */
  static final OffsetDateTime ZERO = OffsetDateTime.of(1, 1, 1, 0, 0, 0, 0, ZoneOffset.UTC);

  private GoDates() {}

  /** Longest first, so that none hides another. */
  private static Map<String, String> elements() {
    var elements = new LinkedHashMap<String, String>();
    elements.put("January", "MMMM");
    elements.put("Monday", "EEEE");
    elements.put("Z07:00", "XXX");
    elements.put("-07:00", "xxx");
    elements.put("Z0700", "XX");
    elements.put("-0700", "xx");
    elements.put("2006", "uuuu");
    elements.put("Jan", "MMM");
    elements.put("Mon", "EEE");
    elements.put("-07", "x");
    elements.put("002", "DDD");
    elements.put("01", "MM");
    elements.put("02", "dd");
    elements.put("03", "hh");
    elements.put("04", "mm");
    elements.put("05", "ss");
    elements.put("06", "uu");
    elements.put("15", "HH");
    elements.put("PM", "a");
    elements.put("_2", "ppd");
    elements.put("1", "M");
    elements.put("2", "d");
    elements.put("3", "h");
    elements.put("4", "m");
    elements.put("5", "s");
    return elements;
  }

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
    int at = 0;
    while (at < layout.length()) {
      int start = at;
      Matcher fraction = Pattern.compile("[.,](0{1,9}|9{1,9})(?![0-9])").matcher(layout);
      if (layout.startsWith("MST", at)) {
        builder.appendZoneText(TextStyle.SHORT);
        at += 3;
      } else if (fraction.find(at) && fraction.start() == at) {
        int digits = fraction.end() - at - 1;
        boolean zeros = layout.charAt(at + 1) == '0';
        builder.appendFraction(ChronoField.NANO_OF_SECOND, zeros ? digits : 0, digits, true);
        at = fraction.end();
      } else {
        for (Map.Entry<String, String> element : ELEMENTS.entrySet()) {
          if (layout.startsWith(element.getKey(), at)) {
            builder.appendPattern(element.getValue());
            at += element.getKey().length();
            break;
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
