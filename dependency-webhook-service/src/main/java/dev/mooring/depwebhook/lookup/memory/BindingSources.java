package dev.mooring.depwebhook.lookup.memory;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.depwebhook.index.BindingSourceReader;
import dev.mooring.depwebhook.index.decide.BindingSource;
import dev.mooring.depwebhook.index.decide.TypeInWorkspace;
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
 * The APIBindings that bring types, as last read: with another schema a server shows the same
 * version of an object with other defaults. A source that is read again unchanged has not changed
 * in between. Core types have none. Thread-safe.
 */
final class BindingSources {
  private static final Logger LOG = LoggerFactory.getLogger(BindingSources.class);

  /** After this every API server knows the binding's last change. */
  static final Duration SETTLED_AFTER = Duration.ofSeconds(10);

  /** Between two lists of bindings of which none brings the type. */
  private static final Duration UNBOUND_FOR = Duration.ofMinutes(1);

  /** More types in more workspaces than one replica reviews at a time. */
  private static final int ENTRIES_MAX = 20_000;

  private final InstantSource clock;
  private final Cache<TypeInWorkspace, Known> known =
      CacheBuilder.newBuilder().maximumSize(ENTRIES_MAX).build();
  private final Set<TypeInWorkspace> learning = ConcurrentHashMap.newKeySet();

  private record Known(BindingSource source, Instant since) {}

  BindingSources(InstantSource clock) {
    this.clock = clock;
  }

  /**
   * The source by which every server answers a list that was requested then, if {@link
   * #isUnchanged} says so later. Empty if that is not certain.
   */
  Optional<BindingSource> settled(TypeInWorkspace type, Instant requested) {
    return isCore(type)
        ? Optional.of(new BindingSource.Unbound())
        : bound(type)
            .filter(bound -> !bound.since.plus(SETTLED_AFTER).isAfter(requested))
            .map(Known::source);
  }

  /** Whether no other source was read since; reads nothing. */
  boolean mayBe(TypeInWorkspace type, BindingSource source) {
    return isCore(type) || bound(type).filter(bound -> bound.source.equals(source)).isPresent();
  }

  /**
   * Reads the source: one binding by name, nothing of a core type.
   *
   * @throws KubeFailure if it cannot be read
   */
  boolean isUnchanged(TypeInWorkspace type, BindingSource source, KubeReader workspace) {
    if (isCore(type)) {
      return true;
    }
    BindingSource now = new BindingSourceReader(workspace, type.type()).confirm(source);
    if (!now.equals(source)) {
      learned(type, now);
    }
    return now.equals(source);
  }

  /** Reads an unknown source on another thread; after a failure the next caller does. */
  void learn(TypeInWorkspace type, KubeReader workspace) {
    if (!isCore(type) && !isKnown(type) && learning.add(type)) {
      Thread.ofVirtual()
          .name("binding-source")
          .start(() -> {
            try {
              learned(type, new BindingSourceReader(workspace, type.type()).read());
            } catch (KubeFailure failure) {
              LOG.debug("APIBinding of {} not readable: {}", type, failure.getMessage());
            } finally {
              learning.remove(type);
            }
          });
    }
  }

  private boolean isKnown(TypeInWorkspace type) {
    Known last = known.getIfPresent(type);
    return last != null
        && switch (last.source) {
          case BindingSource.Bound _ -> true;
          case BindingSource.Unbound() -> clock.instant().isBefore(last.since.plus(UNBOUND_FOR));
        };
  }

  private void learned(TypeInWorkspace type, BindingSource now) {
    var read = new Known(now, clock.instant());
    known.asMap().merge(type, read, (last, _) -> isSame(last, now) ? last : read);
  }

  private static boolean isSame(Known last, BindingSource now) {
    return now instanceof BindingSource.Bound && last.source.equals(now);
  }

  /** A type without a binding may have been another type in between; no eligible rule has one. */
  private Optional<Known> bound(TypeInWorkspace type) {
    return Optional.ofNullable(known.getIfPresent(type))
        .filter(last -> last.source instanceof BindingSource.Bound);
  }

  /** The server's own types, the same in every workspace. */
  private static boolean isCore(TypeInWorkspace type) {
    return type.type().group().isEmpty();
  }
}
