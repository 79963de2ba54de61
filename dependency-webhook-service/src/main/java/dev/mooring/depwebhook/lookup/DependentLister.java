package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Served;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.client.JoinedScans;
import dev.mooring.runtime.client.JoinedScans.Extent;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Reads the dependents of one search as they are now: by the server's field selectors where it
 * serves them, else page by page, object by object, so that memory does not grow with their number.
 * Thread-safe.
 */
final class DependentLister {
  /** Pages of kcp's own default size: 16 to 20 ms each with 10,000 objects. */
  static final int PAGE_SIZE = 500;

  /** A list expires only if it takes minutes; who loses this race so often has another problem. */
  static final int RESTARTS_MAX = 3;

  private final SelectorSupport selectors;
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
    String namespace = search.namespaceFor(target);
    try {
      return read(reading, namespace);
    } catch (KubeFailure failure) {
      if (!ServedTypes.notFound(failure)) {
        throw failure;
      }
    }
    return switch (ServedTypes.find(workspace, search.dependent())) {
      case Served.Nowhere() -> new Outcome(Extent.ALL, LookupPath.LIST);
      case Served.ClusterWide() -> read(reading, "");
      // The type came to be served between the two requests.
      case Served.InNamespaces() -> read(reading, namespace);
      case Served.InOtherVersions(var versions) -> throw new WrongVersion(versions);
    };
  }

  private Outcome read(Reading reading, String namespace) {
    for (int restart = 0; ; restart++) {
      try {
        return readOnce(reading, namespace);
      } catch (KubeFailure failure) {
        if (failure.kind() != KubeFailure.Kind.GONE || restart == RESTARTS_MAX) {
          throw failure;
        }
      }
    }
  }

  private Outcome readOnce(Reading reading, String namespace) {
    Optional<List<String>> wanted = reading.search.selectors(reading.target);
    LogicalCluster cluster = reading.target.key().cluster();
    if (wanted.isPresent() && selectors.mayServe(cluster, reading.search.dependent())) {
      try {
        return new Outcome(selected(reading, namespace, wanted.get()), LookupPath.SELECTOR);
      } catch (KubeFailure failure) {
        if (!SelectorSupport.refused(failure)) {
          throw failure;
        }
        selectors.notServed(cluster, reading.search.dependent());
      }
    }
    return new Outcome(pages(reading, namespace, "", reading.attempts.get()), LookupPath.LIST);
  }

  /** One narrow list for each field; an object that several of them find counts once. */
  private Extent selected(Reading reading, String namespace, List<String> wanted) {
    JoinedScans.Seeker seeker = reading.attempts.get().once();
    for (String selector : wanted) {
      if (pages(reading, namespace, selector, seeker) == Extent.STOPPED) {
        return Extent.STOPPED;
      }
    }
    return Extent.ALL;
  }

  private Extent pages(
      Reading reading, String namespace, String selector, JoinedScans.Seeker seeker) {
    return scans.scan(
        reading.target.key().cluster(),
        reading.workspace,
        reading.search.dependent(),
        ListQuery.ALL.inNamespace(namespace).withFields(selector).withLimit(PAGE_SIZE),
        reading.search.mask(),
        seeker);
  }

  /** What one reading is about. */
  private record Reading(
      KubeReader workspace, Target target, DependentSearch search, Supplier<Sighting> attempts) {}

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
