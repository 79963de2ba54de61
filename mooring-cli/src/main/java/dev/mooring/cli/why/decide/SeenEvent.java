package dev.mooring.cli.why.decide;

import dev.mooring.model.object.KubeObject;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.Optional;

/** A Kubernetes Event about the object. */
public record SeenEvent(KubeObject event) implements Comparable<SeenEvent> {
  /** That of the sync agents. */
  private static final String AGENT = "mooring-sync-agent";

  private static final Comparator<SeenEvent> LATEST_FIRST =
      Comparator.comparing(SeenEvent::time, Comparator.reverseOrder())
          .thenComparingInt(SeenEvent::rank)
          .thenComparing(SeenEvent::version, Comparator.reverseOrder());

  public String reason() {
    return event.text("reason");
  }

  public String message() {
    return event.text("message");
  }

  /** When it happened last. */
  public String time() {
    String last = event.text("lastTimestamp");
    return last.isEmpty() ? event.text("metadata", "creationTimestamp") : last;
  }

  Optional<Instant> instant() {
    return instant(time());
  }

  static Optional<Instant> instant(String time) {
    try {
      return Optional.of(Instant.parse(time));
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  public boolean isWarning() {
    return event.text("type").equals("Warning");
  }

  boolean isFromAgent() {
    return event.text("source", "component").equals(AGENT);
  }

  /**
   * The latest first. Events of one second are written in any order: of these a warning comes
   * first, unless it is over.
   */
  @Override
  public int compareTo(SeenEvent other) {
    return LATEST_FIRST.compare(this, other);
  }

  private int rank() {
    return reason().equals("ObjectInSync") ? 0 : isWarning() ? 1 : 2;
  }

  private long version() {
    try {
      return Long.parseLong(event.resourceVersion());
    } catch (NumberFormatException e) {
      return 0;
    }
  }

  @Override
  public String toString() {
    return time() + " " + reason() + ": " + message();
  }
}
