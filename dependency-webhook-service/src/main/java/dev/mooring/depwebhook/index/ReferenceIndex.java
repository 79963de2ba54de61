package dev.mooring.depwebhook.index;

import dev.mooring.depwebhook.index.decide.BindingSource;
import dev.mooring.depwebhook.index.decide.IndexFreshness;
import dev.mooring.model.dependency.Reference;
import dev.mooring.model.dependency.ReferenceReader;
import dev.mooring.model.dependency.References;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.InformerSpec.AfterWatch;
import dev.mooring.runtime.watch.InformerStatus;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The dependents of one type in one workspace, by the names that they refer to, kept by a watch.
 * Holds of each object only the fields that the readers need. Begins with its first look, and is
 * usable somewhat later. Thread-safe.
 */
public final class ReferenceIndex implements AutoCloseable {
  private static final String NAMES = "names";

  /** No name: under it are the objects of which nobody can tell what they refer to. */
  private static final String UNDECIDABLE = "?";

  private final KubeClient workspace;
  private final InformerSpec spec;
  private final BindingSourceReader origins;
  private final Duration silenceMax;
  private final IndexMemoryBudget.Share share;

  /** Held while the origin is read, so that looks come one after the other. */
  private final ReentrantLock looking = new ReentrantLock();

  /** Held while {@code standing} is replaced. */
  private final ReentrantLock replacing = new ReentrantLock();

  private volatile Standing standing = new Standing.None();
  private volatile Instant lastTried = Instant.MIN;
  private volatile KubeFailure lastFailure;

  /** Whether there is anything to answer from. */
  private sealed interface Standing {
    /** Nothing is known yet. */
    record None() implements Standing {}

    record Begun(Informer informer, IndexFreshness footing) implements Standing {}

    /** Whoever still asks gets what was there. */
    record Closed(Standing before) implements Standing {}
  }

  /** What came of a look at where the objects come from. */
  sealed interface Looked {
    /** It may be believed on, or has begun. */
    record Good() implements Looked {}

    /** It is to be closed. */
    record Moved(BindingSource from, BindingSource to) implements Looked {}

    /** There is nothing to follow; it is to be closed. */
    record NotServed() implements Looked {}

    /** Nobody knows, which is not the same as no change. */
    record Failed(KubeFailure failure) implements Looked {}
  }

  /**
   * @param silenceMax after which it is not believed
   * @param share what it may hold; without enough of it the index stays unusable
   */
  ReferenceIndex(
      KubeClient workspace,
      ResourceType type,
      List<ReferenceReader> readers,
      FieldMask mask,
      Duration silenceMax,
      IndexMemoryBudget.Share share) {
    this.workspace = workspace;
    this.origins = new BindingSourceReader(workspace, type);
    this.silenceMax = silenceMax;
    this.share = share;
    this.spec =
        InformerSpec.of(type)
            .keeping(mask::apply)
            .within(share)
            .maxStaleness(silenceMax)
            // So ends a watch of a type whose CustomResourceDefinition got another schema; what
            // came last may lack fields, and does not come again.
            .with(AfterWatch.LIST_AGAIN)
            .indexedBy(NAMES, object -> names(readers, object));
  }

  /**
   * Reads where the objects come from; begins to list and to watch if that is the first time.
   * Returns at once while another look is under way.
   */
  Looked look(InstantSource clock) {
    if (!looking.tryLock()) {
      return new Looked.Good();
    }
    try {
      Instant asked = clock.instant();
      lastTried = asked;
      Looked looked =
          switch (standing) {
            case Standing.None() -> beginIfServed(origins.read(), asked);
            case Standing.Begun(var informer, _) when isNotServed(informer) ->
                new Looked.NotServed();
            case Standing.Begun(var informer, var footing) ->
                goOn(informer, footing.seen(origins.readAgain(footing.origin()), asked));
            case Standing.Closed _ -> new Looked.Good();
          };
      lastFailure = null;
      return looked;
    } catch (KubeFailure failure) {
      lastFailure = failure;
      return new Looked.Failed(failure);
    } finally {
      looking.unlock();
    }
  }

  private Looked beginIfServed(BindingSource origin, Instant asked) {
    return isServed() ? begin(origin, asked) : new Looked.NotServed();
  }

  /** By a list: discovery shows a new type only seconds after it can have objects. */
  private boolean isServed() {
    try {
      workspace.list(spec.type(), ListQuery.ALL.withLimit(1));
      return true;
    } catch (KubeFailure failure) {
      // What else is the matter, the informer tells.
      return failure.kind() != KubeFailure.Kind.NOT_SERVED;
    }
  }

  private static boolean isNotServed(Informer informer) {
    return informer
        .lastFailure()
        .filter(failure -> failure.kind() == KubeFailure.Kind.NOT_SERVED)
        .isPresent();
  }

  private Looked begin(BindingSource origin, Instant asked) {
    replacing.lock();
    try {
      if (standing instanceof Standing.None) {
        standing =
            new Standing.Begun(
                Informer.start(workspace, spec, _ -> {}), IndexFreshness.begun(origin, asked));
      }
    } finally {
      replacing.unlock();
    }
    return new Looked.Good();
  }

  private Looked goOn(Informer informer, IndexFreshness.Look look) {
    return switch (look) {
      case IndexFreshness.Look.Moved(var from, var to) -> new Looked.Moved(from, to);
      case IndexFreshness.Look.Same(var footing) -> stand(informer, footing);
      case IndexFreshness.Look.ListAgain(var footing) -> {
        informer.relist();
        yield stand(informer, footing);
      }
    };
  }

  private Looked stand(Informer informer, IndexFreshness footing) {
    replacing.lock();
    try {
      if (standing instanceof Standing.Begun) {
        standing = new Standing.Begun(informer, footing);
      }
    } finally {
      replacing.unlock();
    }
    return new Looked.Good();
  }

  /** Whether it is time for a look. */
  boolean wantsLook(Instant now) {
    if (lastTried.isAfter(now.minus(IndexFreshness.pause(silenceMax)))) {
      return false;
    }
    return switch (standing) {
      case Standing.None() -> true;
      case Standing.Begun(_, var footing) -> !now.isBefore(footing.nextLook(silenceMax));
      case Standing.Closed _ -> false;
    };
  }

  /**
   * The objects that may refer to the target, sorted by namespace and name; they may also refer to
   * another object of that name.
   */
  public List<KubeObject> candidates(Target target) {
    return informer().stream()
        .map(Informer::cache)
        .flatMap(cache ->
            Stream.concat(
                cache.indexed(NAMES, target.key().name()).stream(),
                cache.indexed(NAMES, UNDECIDABLE).stream()))
        .sorted(Comparator.comparing(KubeObject::namespace).thenComparing(KubeObject::name))
        .distinct()
        .toList();
  }

  /**
   * Whether its watch is open and nothing is missing that was there so long ago, also because the
   * workspace has the type from where it had it then.
   */
  boolean current(Instant now) {
    return switch (standing) {
      case Standing.None _, Standing.Closed _ -> false;
      case Standing.Begun(var informer, var footing) -> {
        InformerStatus status = informer.status();
        yield footing.holds(now, silenceMax)
            && status.synced()
            && status.connected()
            && status.lastContact().filter(at -> !at.plus(silenceMax).isBefore(now)).isPresent();
      }
    };
  }

  /** Up to when nothing is missing; empty if that was never certain. */
  Optional<Instant> lastContact() {
    return switch (standing) {
      case Standing.None _, Standing.Closed _ -> Optional.empty();
      case Standing.Begun(var informer, var footing) ->
          informer
              .status()
              .lastContact()
              .map(at -> at.isBefore(footing.confirmed()) ? at : footing.confirmed());
    };
  }

  int objects() {
    return informer().map(informer -> informer.cache().size()).orElse(0);
  }

  /** Why nobody knows where the objects come from; empty if the last look told. */
  Optional<KubeFailure> problem() {
    return Optional.ofNullable(lastFailure);
  }

  @Override
  public void close() {
    replacing.lock();
    try {
      if (!(standing instanceof Standing.Closed)) {
        standing = new Standing.Closed(standing);
      }
    } finally {
      replacing.unlock();
    }
    informer().ifPresent(Informer::close);
    share.close();
  }

  private Optional<Informer> informer() {
    return informer(standing);
  }

  private static Optional<Informer> informer(Standing standing) {
    return switch (standing) {
      case Standing.None() -> Optional.empty();
      case Standing.Begun(var informer, _) -> Optional.of(informer);
      case Standing.Closed(var before) -> informer(before);
    };
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
