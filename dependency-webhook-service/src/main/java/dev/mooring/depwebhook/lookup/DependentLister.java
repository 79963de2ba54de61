package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.index.decide.TypeInWorkspace;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Served;
import dev.mooring.depwebhook.reading.JoinedScans;
import dev.mooring.depwebhook.reading.JoinedScans.Extent;
import dev.mooring.depwebhook.reading.JoinedScans.Seeker;
import dev.mooring.depwebhook.reading.ListedObject;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

/**
 * Lists the dependents of one search by the server's field selectors, or else by one whole list,
 * object by object as they arrive, so that the whole is never held.
 *
 * <p>The whole list is not paged: kcp serves a whole list from its cache, but pages after the first
 * from etcd once that was compacted since the last write. Thread-safe.
 */
final class DependentLister {
  private final ListingHints hints;
  private final JoinedScans scans = new JoinedScans();

  DependentLister(InstantSource clock) {
    this.hints = new ListingHints(clock);
  }

  /** How much was read, and by which method. */
  record Outcome(Extent extent, LookupMethod path) {}

  /**
   * @param attempts makes the seeker of the dependents that may refer to the target; called again,
   *     and the previous seeker is void, if the list has to be read again
   * @throws WrongVersion if the workspace serves the type only in versions that the rules do not
   *     know
   */
  Outcome list(
      KubeReader workspace,
      Target target,
      DependentSearch search,
      Supplier<ReferrerCollector> attempts) {
    var reading = new Reading(workspace, target, search, attempts);
    return hinted(reading).or(() -> inNamespace(reading)).orElseGet(() -> discovered(reading));
  }

  /** Empty without a hint, or if the answer disproves it. */
  private Optional<Outcome> hinted(Reading reading) {
    if (reading.namespace().isEmpty() || !hints.isClusterScoped(reading.type())) {
      return Optional.empty();
    }
    Optional<Outcome> outcome = found(() -> clusterScoped(reading)).flatMap(read -> read);
    if (outcome.isEmpty()) {
      hints.removeClusterScoped(reading.type());
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
        Optional<Outcome> outcome = clusterScoped(reading);
        if (outcome.isPresent()) {
          hints.addClusterScoped(reading.type());
        }
        // Empty: the type was replaced by a namespaced one between the two requests.
        yield outcome.orElseGet(() -> read(reading, reading.namespace(), reading.attempts));
      }
      // The type came to be served between the two requests.
      case Served.InNamespaces() -> read(reading, reading.namespace(), reading.attempts);
      case Served.InOtherVersions(var versions) -> throw new WrongVersion(versions);
    };
  }

  /** Discovery shows a new type some seconds late; a cluster-wide list shows it at once. */
  private Outcome undiscovered(Reading reading) {
    Optional<Outcome> late =
        reading.namespace().isEmpty()
            ? Optional.empty()
            : found(() -> clusterScoped(reading))
                .flatMap(outside -> outside.or(() -> inNamespace(reading)));
    return late.orElseGet(() -> {
      ServedTypes.requireUnbound(reading.workspace, reading.search.dependent());
      return new Outcome(Extent.ALL, LookupMethod.LIST);
    });
  }

  /** Lists a cluster-scoped type; empty if an object in the list has a namespace. */
  private Optional<Outcome> clusterScoped(Reading reading) {
    var contradicted = new AtomicBoolean();
    Outcome outcome =
        read(
            reading,
            "",
            () -> {
              contradicted.set(false);
              return new ClusterScopedOnly(reading.attempts.get(), contradicted);
            });
    return Optional.of(outcome).filter(_ -> !contradicted.get());
  }

  /** Empty if the server says that it has no such list. */
  private static <T> Optional<T> found(Supplier<T> read) {
    try {
      return Optional.of(read.get());
    } catch (KubeFailure failure) {
      if (failure.isAbsent()) {
        return Optional.empty();
      }
      throw failure;
    }
  }

  private Outcome read(Reading reading, String namespace, Supplier<? extends Seeker> attempts) {
    Optional<List<String>> selectors = reading.search.selectors(reading.target);
    if (selectors.isPresent() && hints.maySelect(reading.type())) {
      try {
        var seeker = new Distinct(attempts.get());
        return new Outcome(
            selected(reading, namespace, selectors.get(), seeker), LookupMethod.SELECTOR);
      } catch (KubeFailure failure) {
        // Servers word the refusal of a selector in several ways, all with status 400
        // (apimachinery, ConvertFieldLabel). Another cause of a 400 fails the whole list as well.
        if (failure.kind() != KubeFailure.Kind.INVALID) {
          throw failure;
        }
        hints.addUnselectable(reading.type());
      }
    }
    ListQuery query = ListQuery.ALL.inNamespace(namespace);
    return new Outcome(scan(reading, query, attempts.get()), LookupMethod.LIST);
  }

  /** One narrow list for each field; an object that several of them return counts once. */
  private Extent selected(
      Reading reading, String namespace, List<String> selectors, Seeker seeker) {
    for (String selector : selectors) {
      ListQuery query = ListQuery.ALL.inNamespace(namespace).withFields(selector);
      if (scan(reading, query, seeker) == Extent.STOPPED) {
        return Extent.STOPPED;
      }
    }
    return Extent.ALL;
  }

  private Extent scan(Reading reading, ListQuery query, Seeker seeker) {
    return scans.scan(
        reading.target.key().cluster(),
        reading.workspace,
        reading.search.dependent(),
        query,
        reading.search.mask(),
        seeker);
  }

  /** The input of one listing. */
  private record Reading(
      KubeReader workspace,
      Target target,
      DependentSearch search,
      Supplier<ReferrerCollector> attempts) {
    /** Of namespaced dependents; empty for all namespaces. */
    String namespace() {
      return search.namespaceFor(target);
    }

    TypeInWorkspace type() {
      return new TypeInWorkspace(target.key().cluster(), search.dependent());
    }
  }

  /** Passes each object on once, of several lists that may each contain it. */
  private static final class Distinct implements Seeker {
    private final Seeker seeker;

    /** Namespace and name. */
    private final Set<String> seen = new HashSet<>();

    Distinct(Seeker seeker) {
      this.seeker = seeker;
    }

    @Override
    public void see(ListedObject listed) {
      KubeObject object = listed.object();
      if (seen.add(object.namespace() + "/" + object.name())) {
        seeker.see(listed);
      }
    }

    @Override
    public boolean hasEnough() {
      return seeker.hasEnough();
    }
  }

  /** Passes cluster-scoped objects on, and stops at a namespaced one. */
  private static final class ClusterScopedOnly implements Seeker {
    private final Seeker seeker;

    /** Read once the list has ended; the seeker's result is then void. */
    private final AtomicBoolean contradicted;

    ClusterScopedOnly(Seeker seeker, AtomicBoolean contradicted) {
      this.seeker = seeker;
      this.contradicted = contradicted;
    }

    @Override
    public void see(ListedObject listed) {
      if (listed.object().namespace().isEmpty()) {
        seeker.see(listed);
      } else {
        contradicted.set(true);
      }
    }

    @Override
    public boolean hasEnough() {
      return contradicted.get() || seeker.hasEnough();
    }
  }

  /** The rule names a version that the workspace does not serve. */
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
