package dev.mooring.console;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.actuate.endpoint.CompositeHealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthDescriptor;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.actuate.endpoint.IndicatedHealthDescriptor;
import org.springframework.boot.health.contributor.Status;

/** The components of readiness, in words. */
final class ConsoleHealth {
  private static final String READINESS = "readiness";

  /** Lines of one component. */
  private static final int DETAILS_MAX = 50;

  private static final Map<String, String> NAMES =
      Map.of(
          "clusters", "Service cluster and kcp",
          "rules", "Rules of every shard",
          "rights", "Permissions of this service",
          "lease", "Leader election",
          "certificates", "Expiry of certificates",
          "signatures", "Keys that sign review URLs",
          "readinessState", "Start of the process");

  /** Details of a component that is up all the same. */
  private static final Set<String> WARNINGS = Set.of("warning", "missing", "failingResources");

  private ConsoleHealth() {}

  static Section section(HealthEndpoint health) {
    var statements = new ArrayList<Statement>();
    HealthDescriptor readiness = health.healthForPath(READINESS);
    boolean ready = isUp(readiness);
    statements.add(
        ready
            ? Statement.of(Tone.GOOD, "This replica is ready.")
            : Statement.of(Tone.BAD, "This replica is not ready."));
    if (readiness instanceof CompositeHealthDescriptor composite
        && composite.getComponents() != null) {
      new TreeMap<>(composite.getComponents())
          .forEach((name, component) -> statements.add(statement(name, component)));
    }
    return new Section.Statements("Readiness", statements);
  }

  private static boolean isUp(@Nullable HealthDescriptor health) {
    return health != null && health.getStatus().equals(Status.UP);
  }

  private static Statement statement(String name, HealthDescriptor component) {
    Map<String, ?> details =
        component instanceof IndicatedHealthDescriptor indicated && indicated.getDetails() != null
            ? indicated.getDetails()
            : Map.of();
    Tone tone = !isUp(component) ? Tone.BAD : warns(details) ? Tone.ATTENTION : Tone.GOOD;
    var lines = new ArrayList<String>();
    new TreeMap<>(details).forEach((key, value) -> add(words(key), value, lines));
    return new Statement(
        tone,
        NAMES.getOrDefault(name, words(name))
            + ": "
            + component.getStatus().getCode().toLowerCase(Locale.ROOT).replace('_', ' '),
        lines.size() > DETAILS_MAX ? shortened(lines) : lines);
  }

  private static List<String> shortened(List<String> lines) {
    var some = new ArrayList<>(lines.subList(0, DETAILS_MAX));
    some.add("and " + (lines.size() - DETAILS_MAX) + " more");
    return some;
  }

  private static boolean warns(Map<?, ?> details) {
    return details.entrySet().stream()
        .anyMatch(detail ->
            WARNINGS.contains(String.valueOf(detail.getKey()))
                || (detail.getValue() instanceof Map<?, ?> inner && warns(inner)));
  }

  private static void add(String name, @Nullable Object value, List<String> lines) {
    switch (value) {
      case Map<?, ?> map ->
          map.forEach((key, inner) -> add(name + ", " + words(String.valueOf(key)), inner, lines));
      case Collection<?> many -> many.forEach(each -> add(name, each, lines));
      case null -> lines.add(name);
      case String text when text.isEmpty() -> {}
      default -> lines.add(name + ": " + value);
    }
  }

  /** {@code lastEventAgeSeconds} as {@code last event age seconds}. */
  private static String words(String name) {
    return name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
  }
}
