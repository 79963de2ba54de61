package dev.mooring.depcontroller.control;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.export.ExportContact;
import dev.mooring.runtime.export.ExportView;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * Whether kcp is heard. What is known stays while it is not, so nothing else shows that it may have
 * changed. Thread-safe.
 */
final class WatchFreshness {
  private final ExportView view;
  private final List<ResourceType> types;
  private final Duration silenceMax;
  private final InstantSource clock;

  /** Up to when everything was, as last looked at; at first the beginning. */
  private volatile Instant heard;

  /**
   * @param view that is in contact at least as often as {@code silenceMax}, if it can be
   * @param types that the view is asked for
   */
  WatchFreshness(
      ExportView view, List<ResourceType> types, Duration silenceMax, InstantSource clock) {
    this.view = view;
    this.types = List.copyOf(types);
    this.silenceMax = silenceMax;
    this.clock = clock;
    this.heard = clock.instant();
  }

  /**
   * Of the stalest of all types on all shards. While one of them was never heard, it lasts since
   * all others were.
   */
  Staleness staleness() {
    Optional<ExportContact> stalest = stalest();
    stalest.ifPresent(contact -> heard = contact.at());
    Duration lasted = Duration.between(heard, clock.instant());
    return new Staleness(
        lasted,
        stalest
            .filter(_ -> lasted.compareTo(silenceMax) > 0)
            .map(contact -> problem(contact, lasted)));
  }

  private Optional<ExportContact> stalest() {
    ExportContact stalest = null;
    for (ResourceType type : types) {
      Optional<ExportContact> contact = view.stalest(type);
      if (contact.isEmpty()) {
        return contact;
      }
      if (stalest == null || contact.get().at().isBefore(stalest.at())) {
        stalest = contact.get();
      }
    }
    return Optional.ofNullable(stalest);
  }

  private static String problem(ExportContact contact, Duration lasted) {
    return "nothing was heard of "
        + contact.source()
        + " for "
        + lasted.toSeconds()
        + " s, so what changed there since is not acted on"
        + (contact.problem().isEmpty() ? "" : ": " + contact.problem());
  }
}
