package dev.mooring.depwebhook.admission.decide;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.object.KubeObject;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;

/** Whether the target's annotation requests to bypass rules. */
public sealed interface BypassRequest {
  String UNTIL = "until=";

  /** The target has no annotation. */
  record None() implements BypassRequest {}

  /** By exactly {@code "true"}. */
  record Always() implements BypassRequest {}

  /** By {@code until=<RFC 3339>}, which has not come yet. */
  record Until(Instant end) implements BypassRequest {}

  /** By a value that is invalid or has ended. */
  record Void(String why) implements BypassRequest {}

  static BypassRequest of(KubeObject target, Instant now) {
    Optional<String> value = target.annotation(DependencyRule.SKIP_PROTECTION);
    if (value.isEmpty()) {
      return new None();
    }
    if (value.get().equals("true")) {
      return new Always();
    }
    if (!value.get().startsWith(UNTIL)) {
      return new Void("only \"true\" and until=<RFC 3339 time> count");
    }
    try {
      Instant end = OffsetDateTime.parse(value.get().substring(UNTIL.length())).toInstant();
      return end.isAfter(now) ? new Until(end) : new Void("it ended at " + end);
    } catch (DateTimeException e) {
      return new Void("what follows until= is not a time as in 2030-01-31T12:00:00Z");
    }
  }
}
