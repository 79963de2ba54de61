package dev.mooring.languages.template.value;

import dev.mooring.languages.TemplateFailure;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.TextStyle;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;

/** The methods of Go's Time that do not ask for the present or the local zone. */
public final class TimeMembers {
  private TimeMembers() {}

  /** Throws {@link TemplateFailure} for a name that there is not, or arguments that do not fit. */
  public static Object member(OffsetDateTime time, String name, List<Object> arguments) {
    try {
      return switch (name) {
        case "Format" ->
            GoDates.format(only(name, arguments, String.class), time.toZonedDateTime());
        case "Before" -> time.isBefore(only(name, arguments, OffsetDateTime.class));
        case "After" -> time.isAfter(only(name, arguments, OffsetDateTime.class));
        case "Equal" -> time.isEqual(only(name, arguments, OffsetDateTime.class));
        case "Compare" ->
            (long)
                Integer.signum(
                    time.toInstant()
                        .compareTo(only(name, arguments, OffsetDateTime.class).toInstant()));
        case "AddDate" -> later(time, arguments);
        default -> {
          if (!arguments.isEmpty()) {
            throw new TemplateFailure("." + name + " takes no arguments");
          }
          yield property(time, name);
        }
      };
    } catch (DateTimeException | ArithmeticException e) {
      throw new TemplateFailure("." + name + ": the date is out of range");
    }
  }

  private static Object property(OffsetDateTime time, String name) {
    return switch (name) {
      case "Year" -> (long) time.getYear();
      case "Month" -> time.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
      case "Weekday" -> time.getDayOfWeek().getDisplayName(TextStyle.FULL, Locale.ENGLISH);
      case "Day" -> (long) time.getDayOfMonth();
      case "YearDay" -> (long) time.getDayOfYear();
      case "Hour" -> (long) time.getHour();
      case "Minute" -> (long) time.getMinute();
      case "Second" -> (long) time.getSecond();
      case "Nanosecond" -> (long) time.getNano();
      case "Unix" -> time.toEpochSecond();
      case "UnixMilli" -> time.toInstant().toEpochMilli();
      case "UnixMicro" -> ChronoUnit.MICROS.between(java.time.Instant.EPOCH, time.toInstant());
      case "UnixNano" -> Duration.between(java.time.Instant.EPOCH, time.toInstant()).toNanos();
      case "UTC" -> time.withOffsetSameInstant(ZoneOffset.UTC);
      case "IsZero" -> time.isEqual(GoDates.ZERO);
      case "String" -> GoDates.print(time);
      default -> throw new TemplateFailure("can't evaluate field " + name + " of a date");
    };
  }

  /** A day too many of a month falls into the next one. */
  private static OffsetDateTime later(OffsetDateTime time, List<Object> arguments) {
    if (arguments.size() != 3 || !arguments.stream().allMatch(Long.class::isInstance)) {
      throw new TemplateFailure(".AddDate takes years, months and days");
    }
    return time.withDayOfMonth(1)
        .plusYears((Long) arguments.get(0))
        .plusMonths((Long) arguments.get(1))
        .plusDays(Math.addExact((Long) arguments.get(2), time.getDayOfMonth() - 1L));
  }

  private static <T> T only(String name, List<Object> arguments, Class<T> type) {
    if (arguments.size() == 1 && type.isInstance(arguments.getFirst())) {
      return type.cast(arguments.getFirst());
    }
    throw new TemplateFailure(
        "." + name + " takes a " + (type == String.class ? "layout" : "date"));
  }
}
