package dev.mooring.depwebhook.index;

import dev.mooring.depwebhook.index.decide.BindingSource;
import dev.mooring.depwebhook.index.decide.IndexFreshness;
import dev.mooring.depwebhook.index.decide.TypeInWorkspace;
import dev.mooring.model.dependency.Reference;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.References;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.InformerSpec.AfterWatch;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dependents of one type in one workspace, by the names that they refer to, from a watch. Keeps
 * of each object only the fields that the readers need. Starts with its first revalidation, and is
 * usable once its first list is complete. Thread-safe.
 */
public final class ReferenceIndex implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ReferenceIndex.class);
  private static final String NAMES = "names";

  /** Not a valid name: the key of objects whose references are undecidable. */
  private static final String UNDECIDABLE = "?";

  private final TypeInWorkspace type;
  private final KubeClient workspace;
  private final InformerSpec spec;
  private final BindingSourceReader sources;
  private final Duration maxStaleness;
  private final IndexMemoryBudget.Share share;

  /** Empty before the first revalidation. */
  private volatile Optional<Watched> watched = Optional.empty();

  /** Guarded by the lock of {@link ReferenceIndexes}. */
  private Instant lastAsked;

  private volatile boolean closed;
  private volatile Instant lastTried = Instant.MIN;
  private volatile @Nullable KubeFailure lastFailure;

  private record Watched(Informer informer, IndexFreshness freshness) {}

  /** What follows from reading the index's binding. */
  enum Revalidation {
    /** The binding is unchanged, or could not be read; see {@link #problem}. */
    KEEP,
    /** The binding changed. */
    CLOSE,
    /** The workspace does not serve the type. */
    CLOSE_UNSERVED
  }

  /**
   * @param share of the memory; an index that exceeds it never becomes usable
   */
  ReferenceIndex(
      KubeClient workspace,
      TypeInWorkspace type,
      List<ReferenceReader> readers,
      FieldMask mask,
      Duration maxStaleness,
      IndexMemoryBudget.Share share,
      Instant now) {
    this.lastAsked = now;
    this.type = type;
    this.workspace = workspace;
    this.sources = new BindingSourceReader(workspace, type.type());
    this.maxStaleness = maxStaleness;
    this.share = share;
    this.spec =
        InformerSpec.of(type.type())
            .keeping(mask::apply)
            .within(share)
            .maxStaleness(maxStaleness)
            // A watch ends so when the CustomResourceDefinition got another schema: objects that it
            // sent before may lack fields, and are not sent again.
            .with(AfterWatch.LIST_AGAIN)
            .indexedBy(NAMES, object -> names(readers, object));
  }

  /**
   * Reads the binding; starts the list and the watch if this is the first time. Called by one
   * thread at a time.
   */
  Revalidation revalidate(InstantSource clock) {
    if (closed) {
      return Revalidation.KEEP;
    }
    try {
      Instant requested = clock.instant();
      lastTried = requested;
      Revalidation result =
          watched.isPresent() ? confirm(watched.get(), requested) : start(requested);
      lastFailure = null;
      return result;
    } catch (KubeFailure failure) {
      lastFailure = failure;
      return Revalidation.KEEP;
    }
  }

  private Revalidation start(Instant requested) {
    BindingSource source = sources.read();
    if (!isServed()) {
      return Revalidation.CLOSE_UNSERVED;
    }
    synchronized (this) {
      if (!closed) {
        watched =
            Optional.of(
                new Watched(
                    Informer.start(workspace, spec, _ -> {}),
                    IndexFreshness.first(source, requested)));
      }
    }
    return Revalidation.KEEP;
  }

  private Revalidation confirm(Watched before, Instant requested) {
    if (isNotServed(before.informer())) {
      return Revalidation.CLOSE_UNSERVED;
    }
    IndexFreshness last = before.freshness();
    BindingSource source = sources.confirm(last.source());
    Optional<IndexFreshness> next = last.confirmed(source, requested);
    if (next.isEmpty()) {
      LOG.info("APIBinding of {} changed from {} to {}: index closed", this, last.source(), source);
      return Revalidation.CLOSE;
    }
    if (last.stage() == IndexFreshness.Stage.FIRST_LIST) {
      before.informer().relist();
    }
    watched = Optional.of(new Watched(before.informer(), next.get()));
    return Revalidation.KEEP;
  }

  /** By a list: discovery shows a new type some seconds late. */
  private boolean isServed() {
    try {
      workspace.list(spec.type(), ListQuery.ALL.withLimit(1));
      return true;
    } catch (KubeFailure failure) {
      // The informer reports other failures.
      return failure.kind() != KubeFailure.Kind.NOT_SERVED;
    }
  }

  private static boolean isNotServed(Informer informer) {
    return informer
        .lastFailure()
        .filter(failure -> failure.kind() == KubeFailure.Kind.NOT_SERVED)
        .isPresent();
  }

  void asked(Instant now) {
    lastAsked = now;
  }

  Instant lastAsked() {
    return lastAsked;
  }

  boolean needsRevalidation(Instant now) {
    return !closed
        && !lastTried.isAfter(now.minus(IndexFreshness.retryDelay(maxStaleness)))
        && watched.map(w -> !now.isBefore(w.freshness().nextCheck(maxStaleness))).orElse(true);
  }

  /**
   * The objects that may refer to the target, sorted by namespace and name; they may also refer to
   * another object of that name.
   */
  public List<KubeObject> candidates(Target target) {
    return watched.stream()
        .map(w -> w.informer().cache())
        .flatMap(cache ->
            Stream.concat(
                cache.indexed(NAMES, target.key().name()).stream(),
                cache.indexed(NAMES, UNDECIDABLE).stream()))
        .sorted(Comparator.comparing(KubeObject::namespace).thenComparing(KubeObject::name))
        .distinct()
        .toList();
  }

  /** Whether its watch is open, complete up to {@code maxStaleness} ago, and of this binding. */
  boolean isUsable(Instant now) {
    return !closed && watched.filter(w -> isUsable(w, now)).isPresent();
  }

  private boolean isUsable(Watched by, Instant now) {
    Informer informer = by.informer();
    return by.freshness().isFresh(now, maxStaleness)
        && informer.isSynced()
        && informer.isConnected()
        && informer.lastContact().filter(at -> !at.plus(maxStaleness).isBefore(now)).isPresent();
  }

  /** The moment up to which the index is complete; empty before its first list. */
  Optional<Instant> completeUntil() {
    return closed
        ? Optional.empty()
        : watched.flatMap(w ->
            w.informer()
                .lastContact()
                .map(
                    at -> at.isBefore(w.freshness().confirmed()) ? at : w.freshness().confirmed()));
  }

  int objects() {
    return watched.map(w -> w.informer().cache().size()).orElse(0);
  }

  /** Why the last read of the binding failed; empty if it succeeded. */
  Optional<KubeFailure> problem() {
    return Optional.ofNullable(lastFailure);
  }

  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    watched.ifPresent(w -> w.informer().close());
    share.close();
  }

  @Override
  public String toString() {
    return type.toString();
  }

  private static Set<String> names(List<ReferenceReader> readers, KubeObject object) {
    var names = new HashSet<String>();
    for (ReferenceReader reader : readers) {
      switch (reader.read(object)) {
        case References.Known(var all) -> all.stream().map(Reference::name).forEach(names::add);
        case References.Undecidable(_) -> names.add(UNDECIDABLE);
      }
    }
    return names;
  }
}
