package dev.mooring.languages;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations as Go's {@code time.ParseDuration} reads them: {@code 1h30m}, {@code 1.5s}. */
public final class GoDuration {
  private static final Pattern PART =
      Pattern.compile("([0-9]{1,64}(?:\\.[0-9]{0,64})?|\\.[0-9]{1,64})(ns|us|µs|μs|ms|s|m|h)");

  private static final BigDecimal MAX_NANOS = BigDecimal.valueOf(Long.MAX_VALUE);

  private GoDuration() {}

  /** Empty if the text is none. */
  public static Optional<Duration> parse(String text) {
    boolean negative = text.startsWith("-");
    String unsigned = negative || text.startsWith("+") ? text.substring(1) : text;
    if (unsigned.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    Matcher parts = PART.matcher(unsigned);
    var nanos = BigDecimal.ZERO;
    int end = 0;
    while (parts.find() && parts.start() == end) {
      nanos = nanos.add(new BigDecimal(parts.group(1)).multiply(unit(parts.group(2))));
      end = parts.end();
    }
    if (end == 0 || end != unsigned.length() || nanos.compareTo(MAX_NANOS) > 0) {
      return Optional.empty();
    }
    Duration duration = Duration.ofNanos(nanos.longValue());
    return Optional.of(negative ? duration.negated() : duration);
  }

  /** In seconds, as protobuf's JSON has it: {@code 1.5s}. */
  public static String seconds(Duration duration) {
    return BigDecimal.valueOf(duration.toSeconds())
            .add(BigDecimal.valueOf(duration.toNanosPart(), 9))
            .stripTrailingZeros()
            .toPlainString()
        + "s";
  }

  private static BigDecimal unit(String name) {
    return BigDecimal.valueOf(
        switch (name) {
          case "ns" -> 1L;
          case "ms" -> 1_000_000L;
          case "s" -> 1_000_000_000L;
          case "m" -> 60_000_000_000L;
          case "h" -> 3_600_000_000_000L;
          default -> 1_000L;
        });
  }
}
