package dev.mooring.sandbox.http.resource;

import java.time.Duration;

/** Durations for people, as Kubernetes' {@code duration.HumanDuration} shortens them. */
final class HumanDuration {
  private HumanDuration() {}

  static String text(Duration age) {
    long seconds = age.toSeconds();
    if (seconds < -1) {
      return "<invalid>";
    }
    if (seconds < 0) {
      return "0s";
    }
    long minutes = seconds / 60;
    long hours = minutes / 60;
    long days = hours / 24;
    if (seconds < 60 * 2) {
      return seconds + "s";
    }
    if (minutes < 10) {
      return pair(minutes, "m", seconds % 60, "s");
    }
    if (minutes < 60 * 3) {
      return minutes + "m";
    }
    if (hours < 8) {
      return pair(hours, "h", minutes % 60, "m");
    }
    if (hours < 48) {
      return hours + "h";
    }
    if (hours < 24 * 8) {
      return pair(days, "d", hours % 24, "h");
    }
    if (days < 365 * 2) {
      return days + "d";
    }
    if (days < 365 * 8) {
      return pair(days / 365, "y", days % 365, "d");
    }
    return days / 365 + "y";
  }

  private static String pair(long large, String unit, long small, String smallUnit) {
    return small == 0 ? large + unit : large + unit + small + smallUnit;
  }
}
