package dev.mooring.depwebhook.index.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * On what an index stands: the origin of its objects as it was read before the first list, and
 * until when it is certain to be that still.
 *
 * @param confirmed when it was last asked for and found the same
 */
public record IndexFreshness(BindingSource origin, Instant confirmed, Stage stage) {
  /** How far an index has come. */
  public enum Stage {
    /**
     * Its first list may have been answered by a server that did not know of the binding's last
     * move yet; so it is believed for a shorter time, and listed once more after that.
     */
    FRESH,
    SETTLED
  }

  /** What follows from another look. */
  public sealed interface Look {
    /** Nothing has changed. */
    record Same(IndexFreshness footing) implements Look {}

    /** Nothing has changed, and servers have had time to hear of what was before. */
    record ListAgain(IndexFreshness footing) implements Look {}

    /** What the index holds may lack anything. */
    record Moved(BindingSource from, BindingSource to) implements Look {}
  }

  public IndexFreshness {
    Objects.requireNonNull(origin, "origin");
    Objects.requireNonNull(confirmed, "confirmed");
    Objects.requireNonNull(stage, "stage");
  }

  /**
   * Before anything is listed.
   *
   * @param asked before the origin was read
   */
  public static IndexFreshness begun(BindingSource origin, Instant asked) {
    return new IndexFreshness(origin, asked, Stage.FRESH);
  }

  /**
   * @param asked before the origin was read
   */
  public Look seen(BindingSource now, Instant asked) {
    if (!origin.equals(now)) {
      return new Look.Moved(origin, now);
    }
    Instant latest = asked.isAfter(confirmed) ? asked : confirmed;
    var next = new IndexFreshness(origin, latest, Stage.SETTLED);
    return switch (stage) {
      case FRESH -> new Look.ListAgain(next);
      case SETTLED -> new Look.Same(next);
    };
  }

  /**
   * Whether everything is in the index that was there so long ago, as far as its origin goes.
   *
   * @param age up to which readers believe an index
   */
  public boolean holds(Instant now, Duration age) {
    Duration most =
        switch (stage) {
          case FRESH -> part(age, 6);
          case SETTLED -> age;
        };
    return !confirmed.plus(most).isBefore(now);
  }

  /** When to look again: twice and more before it holds no more. */
  public Instant nextLook(Duration age) {
    return confirmed.plus(
        switch (stage) {
          case FRESH -> pause(age);
          case SETTLED -> part(age, 6);
        });
  }

  /** After a look that failed. */
  public static Duration pause(Duration age) {
    return part(age, 2);
  }

  private static Duration part(Duration age, int fifteenths) {
    return age.multipliedBy(fifteenths).dividedBy(15);
  }
}
