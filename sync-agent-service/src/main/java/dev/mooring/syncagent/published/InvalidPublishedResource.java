package dev.mooring.syncagent.published;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A PublishedResource that cannot work as it stands. The message says which fields and why, for the
 * condition {@code Accepted}; the reason is that of the first.
 */
public final class InvalidPublishedResource extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** More would hide the first ones in a condition. */
  private static final int SHOWN_MAX = 10;

  /** Reasons of the condition {@code Accepted=False}. */
  public enum Reason {
    INVALID_SPEC("InvalidSpec"),
    INVALID_TEMPLATE("InvalidTemplate"),
    INVALID_MUTATION("InvalidMutation"),
    VERSION_NOT_SERVED("VersionNotServed");

    private final String text;

    Reason(String text) {
      this.text = text;
    }

    /** As it stands in the condition. */
    public String text() {
      return text;
    }
  }

  private final Reason reason;

  public InvalidPublishedResource(Reason reason, String message) {
    super(message);
    this.reason = reason;
  }

  /** All that is wrong with one object. */
  static InvalidPublishedResource of(List<InvalidPublishedResource> problems) {
    int more = problems.size() - SHOWN_MAX;
    var all =
        new InvalidPublishedResource(
            problems.getFirst().reason(),
            problems.stream()
                    .limit(SHOWN_MAX)
                    .map(InvalidPublishedResource::getMessage)
                    .collect(Collectors.joining("; "))
                + (more > 0 ? "; and " + more + " more" : ""));
    problems.forEach(all::addSuppressed);
    return all;
  }

  /** One for each field, in the order of reading; never empty. */
  public List<InvalidPublishedResource> problems() {
    return getSuppressed().length == 0
        ? List.of(this)
        : Stream.of(getSuppressed()).map(InvalidPublishedResource.class::cast).toList();
  }

  static InvalidPublishedResource spec(String message) {
    return new InvalidPublishedResource(Reason.INVALID_SPEC, message);
  }

  public Reason reason() {
    return reason;
  }
}
