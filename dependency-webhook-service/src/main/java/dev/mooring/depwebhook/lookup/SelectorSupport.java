package dev.mooring.depwebhook.lookup;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Remembers where a server refused to select by a rule's field, so that not every lookup tries in
 * vain. A server says so itself, so nothing has to be known of schemas: one that serves the field
 * answers, any other refuses. Thread-safe.
 */
final class SelectorSupport {
  /** A schema may come to declare the field. */
  static final Duration REMEMBERED = Duration.ofMinutes(10);

  /** More types in more workspaces than one replica sees in ten minutes. */
  static final int REMEMBERED_MAX = 20_000;

  private final InstantSource clock;
  private final Map<Place, Instant> refusals = new LinkedHashMap<>();

  private record Place(LogicalCluster cluster, ResourceType type) {}

  SelectorSupport(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * Whether a failed list may mean that the server does not select by this field. It has several
   * sentences for that (apimachinery, {@code ConvertFieldLabel} and its defaults), all under 400;
   * what else may be wrong with the request, the whole list tells as well.
   */
  static boolean refused(KubeFailure failure) {
    return failure.kind() == KubeFailure.Kind.INVALID;
  }

  synchronized boolean mayServe(LogicalCluster cluster, ResourceType type) {
    Instant until = refusals.get(new Place(cluster, type));
    return until == null || !clock.instant().isBefore(until);
  }

  synchronized void notServed(LogicalCluster cluster, ResourceType type) {
    var place = new Place(cluster, type);
    refusals.remove(place);
    refusals.put(place, clock.instant().plus(REMEMBERED));
    if (refusals.size() > REMEMBERED_MAX) {
      refusals.remove(refusals.keySet().iterator().next());
    }
  }
}
