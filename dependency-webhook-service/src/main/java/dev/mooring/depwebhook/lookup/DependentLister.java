package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.KnownDependents;
import dev.mooring.depwebhook.lookup.decide.Served;
import dev.mooring.depwebhook.reading.JoinedScans;
import dev.mooring.depwebhook.reading.JoinedScans.Extent;
import dev.mooring.depwebhook.reading.JoinedScans.Seeker;
import dev.mooring.depwebhook.reading.PendingRead;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Reads the dependents of one search as they are now:
 *
 * <ol>
 *   <li>by the server's field selectors where it serves them;
 *   <li>else, where a long list was read a moment ago, by a list of their versions, which takes the
 *       server half as long, and by reading those of them that have changed or may refer;
 *   <li>else all of them, object by object as they come in, so that memory does not grow with their
 *       number.
 * </ol>
 *
 * <p>Not in pages: the server writes one long list as it goes, from its cache, while the pages
 * after the first are read from etcd once that has been compacted since the last write.
 * Thread-safe.
 */
final class DependentLister {
  private final SelectorSupport selectors;
  private final ClusterScopedTypes clusterScoped = new ClusterScopedTypes();
  private final DependentMemory memory;
  private final JoinedScans scans = new JoinedScans();

  DependentLister(SelectorSupport selectors, DependentMemory memory) {
    this.selectors = selectors;
    this.memory = memory;
  }

  /** How far the reading went, and by which way. */
  record Outcome(Extent extent, LookupPath path) {}

  /**
   * @param attempts gives whoever sees the dependents that may refer to the target; asked again,
   *     and what came before is void, if the list has to be read again
   * @throws WrongVersion if the workspace serves the type only in versions that the rules do not
   *     know
   */
  Outcome list(
      KubeReader workspace, Target target, DependentSearch search, Supplier<Sighting> attempts) {
    var reading = new Reading(workspace, target, search, attempts);
    return remembered(reading).or(() -> inNamespace(reading)).orElseGet(() -> discovered(reading));
  }

  /** Empty if nothing is known, or it is not so any more. */
  private Optional<Outcome> remembered(Reading reading) {
    if (reading.namespace().isEmpty() || !clusterScoped.contains(reading.place())) {
      return Optional.empty();
    }
    Optional<Outcome> outcome = found(() -> outsideNamespaces(reading)).flatMap(read -> read);
    if (outcome.isEmpty()) {
      clusterScoped.remove(reading.place());
    }
    return outcome;
  }

  private Optional<Outcome> inNamespace(Reading reading) {
    return found(() -> read(reading, reading.namespace(), reading.attempts));
  }

  private Outcome discovered(Reading reading) {
    return switch (ServedTypes.find(reading.workspace, reading.search.dependent())) {
      case Served.Nowhere() -> undiscovered(reading);
      case Served.ClusterWide() when reading.namespace().isEmpty() ->
          read(reading, "", reading.attempts);
      case Served.ClusterWide() -> {
        Optional<Outcome> outcome = outsideNamespaces(reading);
        if (outcome.isPresent()) {
          clusterScoped.add(reading.place());
        }
        // Empty: it came to be another type between the two requests.
        yield outcome.orElseGet(() -> read(reading, reading.namespace(), reading.attempts));
      }
      // The type came to be served between the two requests.
      case Served.InNamespaces() -> read(reading, reading.namespace(), reading.attempts);
      case Served.InOtherVersions(var versions) -> throw new WrongVersion(versions);
    };
  }

  /**
   * What is served is in discovery some seconds later only; a list in no namespace tells before.
   */
  private Outcome undiscovered(Reading reading) {
    Optional<Outcome> late =
        reading.namespace().isEmpty()
            ? Optional.empty()
            : found(() -> outsideNamespaces(reading))
                .flatMap(outside -> outside.or(() -> inNamespace(reading)));
    return late.orElseGet(() -> {
      ServedTypes.requireUnbound(reading.workspace, reading.search.dependent());
      return new Outcome(Extent.ALL, LookupPath.LIST);
    });
  }

  /** Of a type that has no namespaces; empty if what is there shows that it has. */
  private Optional<Outcome> outsideNamespaces(Reading reading) {
    var without = new AtomicReference<WithoutNamespaces>();
    Outcome outcome =
        read(
            reading,
            "",
            () -> {
              without.set(new WithoutNamespaces(reading.attempts.get()));
              return without.get();
            });
    return Optional.of(outcome).filter(_ -> !without.get().isContradicted());
  }

  /** Empty if the server says that there is no such list. */
  private static <T> Optional<T> found(Supplier<T> read) {
    try {
      return Optional.of(read.get());
    } catch (KubeFailure failure) {
      if (ServedTypes.notFound(failure)) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  private Outcome read(Reading reading, String namespace, Supplier<? extends Seeker> attempts) {
    Optional<List<String>> wanted = reading.search.selectors(reading.target);
    LogicalCluster cluster = reading.target.key().cluster();
    if (wanted.isPresent() && selectors.mayServe(cluster, reading.search.dependent())) {
      try {
        return new Outcome(
            selected(reading, namespace, wanted.get(), new Once(attempts.get())),
            LookupPath.SELECTOR);
      } catch (KubeFailure failure) {
        if (!SelectorSupport.refused(failure)) {
          throw failure;
        }
        selectors.notServed(cluster, reading.search.dependent());
      }
    }
    DependentMemory.Place place = reading.listedIn(namespace);
    return memory
        .recall(place)
        .flatMap(known -> compared(reading, place, known, attempts))
        .orElseGet(() -> whole(reading, place, attempts.get()));
  }

  /** By what is known of them; empty if that does not help. */
  private Optional<Outcome> compared(
      Reading reading,
      DependentMemory.Place place,
      DependentMemory.Recalled known,
      Supplier<? extends Seeker> attempts) {
    // Beside the list, which takes longer.
    PendingRead<Boolean> holds =
        PendingRead.begin("APIBinding", () -> memory.holds(place, known, reading.workspace));
    var comparison = new Comparison(known.dependents(), reading.target);
    scan(
        reading,
        ListQuery.ALL.inNamespace(place.namespace()).withParts(ListQuery.Parts.METADATA),
        KnownDependents.VERSIONS,
        comparison);
    if (comparison.tooManyToRead()) {
      if (comparison.tooManyChanged()) {
        memory.misled(place);
      }
      return Optional.empty();
    }
    if (!isTrue(holds)) {
      return Optional.empty();
    }
    // All are asked for before the first is waited for.
    List<PendingRead<Optional<KubeObject>>> reads =
        comparison.unclear().stream().map(version -> live(reading, version)).toList();
    Seeker seeker = attempts.get();
    try {
      reads.forEach(read -> read.result().ifPresent(seeker::see));
    } catch (KubeFailure failure) {
      if (failure.kind() == KubeFailure.Kind.FORBIDDEN) {
        // Whoever may list them need not be permitted to get one.
        return Optional.empty();
      }
      throw failure;
    } finally {
      reads.forEach(PendingRead::giveUp);
    }
    memory.helped(place);
    return Optional.of(new Outcome(Extent.ALL, LookupPath.VERSIONS));
  }

  /** Not if nobody knows: there is another way. */
  private static boolean isTrue(PendingRead<Boolean> read) {
    try {
      return read.result();
    } catch (KubeFailure unknown) {
      return false;
    }
  }

  private static PendingRead<Optional<KubeObject>> live(Reading reading, KubeObject version) {
    ResourceType type = reading.search.dependent();
    return PendingRead.begin(
        type.resource() + " " + version.name(),
        () -> reading.workspace.find(type, version.namespace(), version.name()));
  }

  private Outcome whole(Reading reading, DependentMemory.Place place, Seeker seeker) {
    try (DependentMemory.Taking taking = memory.take(place, seeker)) {
      Extent extent =
          scan(
              reading,
              ListQuery.ALL.inNamespace(place.namespace()),
              reading.search.mask(),
              taking.seeker());
      if (extent == Extent.ALL) {
        taking.keep(reading.workspace);
      }
      return new Outcome(extent, LookupPath.LIST);
    }
  }

  /** One narrow list for each field; an object that several of them find counts once. */
  private Extent selected(Reading reading, String namespace, List<String> wanted, Seeker seeker) {
    for (String selector : wanted) {
      ListQuery query = ListQuery.ALL.inNamespace(namespace).withFields(selector);
      if (scan(reading, query, reading.search.mask(), seeker) == Extent.STOPPED) {
        return Extent.STOPPED;
      }
    }
    return Extent.ALL;
  }

  private Extent scan(Reading reading, ListQuery query, FieldMask keep, Seeker seeker) {
    return scans.scan(
        reading.target.key().cluster(),
        reading.workspace,
        reading.search.dependent(),
        query,
        keep,
        seeker);
  }

  /** What one reading is about. */
  private record Reading(
      KubeReader workspace, Target target, DependentSearch search, Supplier<Sighting> attempts) {
    /** Where namespaced dependents have to be; empty for anywhere. */
    String namespace() {
      return search.namespaceFor(target);
    }

    DependentMemory.Place listedIn(String namespace) {
      return new DependentMemory.Place(
          target.key().cluster(), search.dependent(), namespace, search.readers());
    }

    ClusterScopedTypes.Place place() {
      return new ClusterScopedTypes.Place(target.key().cluster(), search.dependent());
    }
  }

  /** A rule that was written for a version that the workspace does not serve. */
  static final class WrongVersion extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final transient List<String> versions;

    WrongVersion(List<String> versions) {
      this.versions = versions;
    }

    List<String> versions() {
      return versions;
    }
  }
}
