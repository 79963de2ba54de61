package dev.mooring.depcontroller.control;

import dev.mooring.depcontroller.control.DependencyController.Staleness;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.export.ExportContact;
import dev.mooring.runtime.export.ExportView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The age of the last event or bookmark from kcp. Caches keep their objects while no events arrive,
 * so that nothing else shows that they may be stale. Thread-safe.
 */
final class WatchFreshness {
  private final ExportView view;
  private final ResourceType[] types;
  private final Duration maxStaleness;
  private final InstantSource clock;

  /** Until then every type on every shard was up to date, as last computed. */
  private volatile Instant freshAt;

  /**
   * @param view that receives an event or a bookmark at least every {@code maxStaleness}
   * @param types that the view watches
   */
  WatchFreshness(
      ExportView view, ResourceType[] types, Duration maxStaleness, InstantSource clock) {
    this.view = view;
    this.types = types;
    this.maxStaleness = maxStaleness;
    this.clock = clock;
    this.freshAt = clock.instant();
  }

  /**
   * The staleness of the stalest type on the stalest shard. While a type has never been received,
   * it lasts since all types were up to date, or since the start.
   */
  Staleness staleness() {
    Optional<ExportContact> stalest = view.stalest(types);
    stalest.ifPresent(contact -> freshAt = contact.at());
    Duration lasted = Duration.between(freshAt, clock.instant());
    return new Staleness(
        lasted,
        stalest
            .filter(_ -> lasted.compareTo(maxStaleness) > 0)
            .map(contact -> problem(contact, lasted)));
  }

  private static String problem(ExportContact contact, Duration lasted) {
    return ("no event or bookmark of %s arrived for %d s, so the controller does not react to changes"
                + " there")
            .formatted(contact.source(), lasted.toSeconds())
        + (contact.problem().isEmpty() ? "" : ": " + contact.problem());
  }
}
