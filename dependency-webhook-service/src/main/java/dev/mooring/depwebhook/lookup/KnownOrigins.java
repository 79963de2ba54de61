package dev.mooring.depwebhook.lookup;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.depwebhook.index.OriginReader;
import dev.mooring.depwebhook.index.decide.Origin;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where workspaces have types from, as was last read: by another schema a server shows the same
 * version of an object with other defaults. An origin that is read again unchanged has not changed
 * in between. Thread-safe.
 */
final class KnownOrigins {
  private static final Logger LOG = LoggerFactory.getLogger(KnownOrigins.class);

  /** API servers have heard by then of what a binding says. */
  static final Duration SETTLED_AFTER = Duration.ofSeconds(10);

  /** Between lists of bindings that do not have a type: it may come to be bound. */
  static final Duration UNBOUND_FOR = Duration.ofMinutes(1);

  /** More types in more workspaces than one replica judges in a while. */
  static final int REMEMBERED_MAX = 20_000;

  private final InstantSource clock;
  private final Cache<Place, Seen> places =
      CacheBuilder.newBuilder().maximumSize(REMEMBERED_MAX).build();
  private final Set<Place> beingRead = ConcurrentHashMap.newKeySet();

  /**
   * A type in a workspace.
   *
   * @param type with its version, which matters to nobody
   */
  record Place(LogicalCluster cluster, ResourceType type) {
    /** Every workspace has these, of the server's own making. */
    private boolean isCore() {
      return type.group().isEmpty();
    }
  }

  /**
   * @param since when it was known
   */
  private record Seen(Origin origin, Instant since) {}

  KnownOrigins(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * By what servers have shown, and show, all that was asked for from then on, provided that {@link
   * #isStill} says so. Empty where that is not certain.
   */
  Optional<Origin> settled(Place place, Instant asked) {
    return place.isCore()
        ? Optional.of(new Origin.Unbound())
        : bound(place)
            .filter(seen -> !seen.since.plus(SETTLED_AFTER).isAfter(asked))
            .map(Seen::origin);
  }

  /** Whether nothing else has been read since; only {@link #isStill} knows more. */
  boolean mayStillBe(Place place, Origin origin) {
    return place.isCore() || bound(place).filter(seen -> seen.origin.equals(origin)).isPresent();
  }

  /**
   * Reads it: one binding by name, nothing of a type that every workspace has.
   *
   * @throws KubeFailure if that is not known
   */
  boolean isStill(Place place, Origin origin, KubeReader workspace) {
    if (place.isCore()) {
      return true;
    }
    Origin now = new OriginReader(workspace, place.type).readAgain(origin);
    if (!now.equals(origin)) {
      learned(place, now);
    }
    return now.equals(origin);
  }

  /**
   * Reads it on the side where it is not known yet; where that fails, whoever asks next has it
   * read.
   */
  void learn(Place place, KubeReader workspace) {
    if (place.isCore() || isKnown(place) || !beingRead.add(place)) {
      return;
    }
    Thread.ofVirtual()
        .name("origin")
        .start(() -> {
          try {
            learned(place, new OriginReader(workspace, place.type).read());
          } catch (KubeFailure failure) {
            LOG.debug("Dependents of {} are listed whole: {}", place, failure.getMessage());
          } finally {
            beingRead.remove(place);
          }
        });
  }

  private boolean isKnown(Place place) {
    Seen seen = places.getIfPresent(place);
    return seen != null
        && switch (seen.origin) {
          case Origin.Bound _ -> true;
          case Origin.Unbound() -> clock.instant().isBefore(seen.since.plus(UNBOUND_FOR));
        };
  }

  private void learned(Place place, Origin now) {
    var seen = new Seen(now, clock.instant());
    places.asMap().merge(place, seen, (before, _) -> isStill(before, now) ? before : seen);
  }

  private static boolean isStill(Seen before, Origin now) {
    return now instanceof Origin.Bound && before.origin.equals(now);
  }

  /**
   * A type that no binding brings may have been another one in between; none that rules count is
   * like that.
   */
  private Optional<Seen> bound(Place place) {
    return Optional.ofNullable(places.getIfPresent(place))
        .filter(seen -> seen.origin instanceof Origin.Bound);
  }
}
