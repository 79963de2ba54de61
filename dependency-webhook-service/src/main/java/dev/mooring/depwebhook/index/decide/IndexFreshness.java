package dev.mooring.depwebhook.index.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How long an index may answer: its binding as it was read before the first list, and when that was
 * last confirmed.
 *
 * @param confirmed when the binding was last requested and found unchanged
 */
public record IndexFreshness(BindingSource source, Instant confirmed, Stage stage) {
  /** How far an index has come. */
  public enum Stage {
    /**
     * The server of the first list may not have known the binding's last change. So the index is
     * trusted for a shorter time, and lists again after that.
     */
    FIRST_LIST,
    SETTLED
  }

  /**
   * Before the first list.
   *
   * @param requested before the binding was read
   */
  public static IndexFreshness first(BindingSource source, Instant requested) {
    return new IndexFreshness(source, requested, Stage.FIRST_LIST);
  }

  /**
   * After another read of the binding; empty if that changed: the index may lack any object. After
   * {@link Stage#FIRST_LIST} the index lists again: by now every server knows the last change.
   *
   * @param requested before the binding was read
   */
  public Optional<IndexFreshness> confirmed(BindingSource now, Instant requested) {
    Instant latest = requested.isAfter(confirmed) ? requested : confirmed;
    return source.equals(now)
        ? Optional.of(new IndexFreshness(source, latest, Stage.SETTLED))
        : Optional.empty();
  }

  /**
   * Whether the index may answer, as far as its binding is concerned.
   *
   * @param maxStaleness of an index
   */
  public boolean isFresh(Instant now, Duration maxStaleness) {
    Duration most =
        switch (stage) {
          case FIRST_LIST -> part(maxStaleness, 6);
          case SETTLED -> maxStaleness;
        };
    return !confirmed.plus(most).isBefore(now);
  }

  /** When to read the binding again: at least twice before the index becomes stale. */
  public Instant nextCheck(Duration maxStaleness) {
    return confirmed.plus(
        switch (stage) {
          case FIRST_LIST -> retryDelay(maxStaleness);
          case SETTLED -> part(maxStaleness, 6);
        });
  }

  /** After a failed read of the binding. */
  public static Duration retryDelay(Duration maxStaleness) {
    return part(maxStaleness, 2);
  }

  private static Duration part(Duration whole, int fifteenths) {
    return whole.multipliedBy(fifteenths).dividedBy(15);
  }
}
