package dev.mooring.depwebhook.lookup;

import com.google.common.base.Ticker;
import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.depwebhook.index.decide.TypeInWorkspace;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Which request to try first for the dependents of a type. A hint is never proof: the caller checks
 * that the answer confirms it. Thread-safe.
 */
final class ListingHints {
  /**
   * Time until a refused field selector is tried again: the schema may declare the field by then.
   */
  static final Duration SELECTOR_RETRY = Duration.ofMinutes(10);

  /** More types in more workspaces than one replica reviews in ten minutes. */
  private static final int ENTRIES_MAX = 20_000;

  private final Cache<TypeInWorkspace, Boolean> clusterScoped =
      CacheBuilder.newBuilder().maximumSize(ENTRIES_MAX).build();
  private final Cache<TypeInWorkspace, Boolean> unselectable;

  ListingHints(InstantSource clock) {
    this.unselectable =
        CacheBuilder.newBuilder()
            .maximumSize(ENTRIES_MAX)
            .expireAfterWrite(SELECTOR_RETRY)
            .ticker(ticker(clock))
            .build();
  }

  boolean isClusterScoped(TypeInWorkspace type) {
    return clusterScoped.getIfPresent(type) != null;
  }

  void addClusterScoped(TypeInWorkspace type) {
    clusterScoped.put(type, true);
  }

  void removeClusterScoped(TypeInWorkspace type) {
    clusterScoped.invalidate(type);
  }

  /** Whether the server may accept a field selector on the rules' fields. */
  boolean maySelect(TypeInWorkspace type) {
    return unselectable.getIfPresent(type) == null;
  }

  void addUnselectable(TypeInWorkspace type) {
    unselectable.put(type, true);
  }

  private static Ticker ticker(InstantSource clock) {
    return new Ticker() {
      @Override
      public long read() {
        return ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant());
      }
    };
  }
}
