package dev.mooring.depwebhook.lookup.memory;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.depwebhook.index.decide.BindingSource;
import dev.mooring.depwebhook.index.decide.TypeInWorkspace;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.reading.JoinedScans;
import dev.mooring.depwebhook.reading.JoinedScans.Extent;
import dev.mooring.depwebhook.reading.JoinedScans.Seeker;
import dev.mooring.depwebhook.reading.ListedObject;
import dev.mooring.depwebhook.reading.PendingRead;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Lists dependents, and keeps what long lists have shown: which names each dependent refers to at
 * its version. Holds a maximal number of dependents; the least recently used lists are evicted.
 * Thread-safe.
 */
public final class DependentMemory {
  /** Also for changes that leave no trace, such as another release of an API server. */
  static final Duration AGE_MAX = Duration.ofMinutes(1);

  /** The versions of fewer dependents cost about as much as the dependents. */
  static final int DEPENDENTS_MIN = 1_000;

  private static final Duration MARGIN = Duration.ofSeconds(1);

  private volatile int dependentsMax;
  private final InstantSource clock;
  private final BindingSources sources;
  private final JoinedScans scans = new JoinedScans();
  private volatile Cache<Key, Remembered> remembered;
  private final Set<Key> recording = ConcurrentHashMap.newKeySet();

  /**
   * What to list, and for what.
   *
   * @param namespace empty for all
   */
  public record Listing(
      KubeReader workspace, Target target, DependentSearch search, String namespace) {
    private TypeInWorkspace type() {
      return new TypeInWorkspace(target.key().cluster(), search.dependent());
    }

    private Key key() {
      return new Key(type(), namespace, search.readers());
    }
  }

  /** Other readers find other names. */
  private record Key(TypeInWorkspace type, String namespace, List<ReferenceReader> readers) {}

  /**
   * A list as it was read.
   *
   * @param source of the type when the list was read
   * @param usable age after which so much has usually changed that a whole list is faster
   */
  private record Remembered(
      DependentVersions versions, BindingSource source, Instant requested, Duration usable) {
    Remembered withUsable(Duration changed) {
      return new Remembered(versions, source, requested, changed);
    }
  }

  /**
   * @param dependentsMax in all; 0 to list all dependents each time
   * @param clock that does not jump
   */
  public DependentMemory(int dependentsMax, InstantSource clock) {
    this.dependentsMax = dependentsMax;
    this.clock = clock;
    this.sources = new BindingSources(clock);
    this.remembered = cache(dependentsMax);
  }

  private static Cache<Key, Remembered> cache(int dependentsMax) {
    return CacheBuilder.newBuilder()
        // More segments would each evict for a part of the maximum.
        .concurrencyLevel(1)
        .maximumWeight(dependentsMax)
        .<Key, Remembered>weigher((_, list) -> list.versions.size())
        .build();
  }

  /** Lists that no longer fit are evicted. */
  public synchronized void limit(int dependentsMax) {
    if (dependentsMax != this.dependentsMax) {
      Cache<Key, Remembered> next = cache(dependentsMax);
      next.putAll(remembered.asMap());
      this.dependentsMax = dependentsMax;
      remembered = next;
    }
  }

  /**
   * Reads the versions of the dependents, and those that changed or may refer to the target. False,
   * and no seeker has the result, if a whole list is needed.
   *
   * @param attempts makes the seeker of the dependents that may refer to the target
   */
  public boolean searchVersions(Listing listing, Supplier<? extends Seeker> attempts) {
    Key key = listing.key();
    return recall(key).filter(known -> readsByVersions(listing, key, known, attempts)).isPresent();
  }

  /** Reads all dependents until the seeker has enough. */
  public Extent searchAll(Listing listing, Seeker seeker) {
    Key key = listing.key();
    Instant requested = clock.instant();
    Optional<BindingSource> source = startRecording(key, requested);
    var recorder = new ListRecorder(seeker, key.readers, source.isPresent() ? dependentsMax : 0);
    try {
      ListQuery query = ListQuery.ALL.inNamespace(listing.namespace);
      Extent extent = scan(listing, query, listing.search.mask(), recorder);
      if (extent == Extent.ALL) {
        source.ifPresent(of -> remember(key, recorder, of, requested));
        if (dependentsMax > 0 && recorder.seen() >= DEPENDENTS_MIN) {
          sources.learn(key.type, listing.workspace);
        }
      }
      return extent;
    } finally {
      source.ifPresent(_ -> recording.remove(key));
    }
  }

  /**
   * The source of the type, if this list is to be recorded. A list that could not be relied on is
   * not: 10,000 dependents are two megabytes that outlive it.
   */
  private Optional<BindingSource> startRecording(Key key, Instant requested) {
    return dependentsMax == 0
        ? Optional.empty()
        : sources.settled(key.type, requested).filter(_ -> recording.add(key));
  }

  /** The sources of types. */
  BindingSources sources() {
    return sources;
  }

  /** The number of dependents that are held. */
  int size() {
    return remembered.asMap().values().stream().mapToInt(list -> list.versions.size()).sum();
  }

  /** Empty if no list is likely to help. */
  private Optional<Remembered> recall(Key key) {
    return Optional.ofNullable(remembered.getIfPresent(key))
        .filter(list -> age(list).compareTo(list.usable) <= 0)
        .filter(list -> sources.mayBe(key.type, list.source));
  }

  private boolean readsByVersions(
      Listing listing, Key key, Remembered known, Supplier<? extends Seeker> attempts) {
    // At the same time as the list, which takes longer.
    PendingRead<Boolean> unchanged =
        PendingRead.begin(
            "APIBinding", () -> sources.isUnchanged(key.type, known.source, listing.workspace));
    var comparison = new VersionComparison(known.versions, listing.target);
    ListQuery query =
        ListQuery.ALL.inNamespace(listing.namespace).withParts(ListQuery.Parts.METADATA);
    scan(listing, query, DependentVersions.FIELDS, comparison);
    if (comparison.tooManyToRead()) {
      if (comparison.tooManyChanged()) {
        changeUsable(key, age(known).dividedBy(2));
      }
      return false;
    }
    if (!isTrue(unchanged) || !readsEach(listing, comparison.unclear(), attempts)) {
      return false;
    }
    Duration longer = age(known).multipliedBy(2).plus(MARGIN);
    changeUsable(key, Collections.min(List.of(AGE_MAX, max(known.usable, longer))));
    return true;
  }

  /** A failed read is no proof, but a whole list may be read. */
  private static boolean isTrue(PendingRead<Boolean> read) {
    try {
      return read.result();
    } catch (KubeFailure unknown) {
      return false;
    }
  }

  /** False if the webhook may list the dependents, but not get one. */
  private static boolean readsEach(
      Listing listing, List<KubeObject> unclear, Supplier<? extends Seeker> attempts) {
    // All are requested before the first is awaited.
    List<PendingRead<Optional<KubeObject>>> reads =
        unclear.stream().map(version -> read(listing, version)).toList();
    Seeker seeker = attempts.get();
    try {
      for (PendingRead<Optional<KubeObject>> read : reads) {
        read.result().map(ListedObject::new).ifPresent(seeker::see);
      }
      return true;
    } catch (KubeFailure failure) {
      if (failure.kind() == KubeFailure.Kind.FORBIDDEN) {
        return false;
      }
      throw failure;
    } finally {
      reads.forEach(PendingRead::giveUp);
    }
  }

  private static PendingRead<Optional<KubeObject>> read(Listing listing, KubeObject version) {
    ResourceType type = listing.search.dependent();
    return PendingRead.begin(
        type.resource() + " " + version.name(),
        () -> listing.workspace.find(type, version.namespace(), version.name()));
  }

  private Extent scan(Listing listing, ListQuery query, FieldMask fields, Seeker seeker) {
    return scans.scan(
        listing.target.key().cluster(),
        listing.workspace,
        listing.search.dependent(),
        query,
        fields,
        seeker);
  }

  private synchronized void remember(
      Key key, ListRecorder recorder, BindingSource source, Instant requested) {
    Optional<DependentVersions> versions =
        recorder.versions().filter(_ -> sources.mayBe(key.type, source));
    if (versions.isPresent()) {
      Remembered last = remembered.getIfPresent(key);
      Duration usable = last == null ? AGE_MAX : last.usable;
      remembered.put(key, new Remembered(versions.get(), source, requested, usable));
    } else {
      remembered.invalidate(key);
    }
  }

  private synchronized void changeUsable(Key key, Duration usable) {
    Remembered last = remembered.getIfPresent(key);
    if (last != null) {
      remembered.put(key, last.withUsable(usable));
    }
  }

  private Duration age(Remembered list) {
    return Duration.between(list.requested, clock.instant());
  }

  private static Duration max(Duration one, Duration other) {
    return Collections.max(List.of(one, other));
  }
}
