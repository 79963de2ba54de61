package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Served;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.client.JoinedScans;
import dev.mooring.runtime.client.JoinedScans.Extent;
import dev.mooring.runtime.client.JoinedScans.Seeker;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

/**
 * Reads the dependents of one search as they are now: by the server's field selectors where it
 * serves them, else all of them, object by object as they come in, so that memory does not grow
 * with their number. Not in pages: the server writes one long list as it goes, from its cache,
 * while the pages after the first are read from etcd once that has been compacted since the last
 * write. Thread-safe.
 */
final class DependentLister {
  private final SelectorSupport selectors;
  private final ClusterScopedTypes clusterScoped = new ClusterScopedTypes();
  private final JoinedScans scans = new JoinedScans();

  DependentLister(SelectorSupport selectors) {
    this.selectors = selectors;
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
      case Served.Nowhere() -> new Outcome(Extent.ALL, LookupPath.LIST);
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
    return new Outcome(scan(reading, namespace, "", attempts.get()), LookupPath.LIST);
  }

  /** One narrow list for each field; an object that several of them find counts once. */
  private Extent selected(Reading reading, String namespace, List<String> wanted, Seeker seeker) {
    for (String selector : wanted) {
      if (scan(reading, namespace, selector, seeker) == Extent.STOPPED) {
        return Extent.STOPPED;
      }
    }
    return Extent.ALL;
  }

  private Extent scan(Reading reading, String namespace, String selector, Seeker seeker) {
    return scans.scan(
        reading.target.key().cluster(),
        reading.workspace,
        reading.search.dependent(),
        ListQuery.ALL.inNamespace(namespace).withFields(selector),
        reading.search.mask(),
        seeker);
  }

  /** What one reading is about. */
  private record Reading(
      KubeReader workspace, Target target, DependentSearch search, Supplier<Sighting> attempts) {
    /** Where namespaced dependents have to be; empty for anywhere. */
    String namespace() {
      return search.namespaceFor(target);
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
