package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Served;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
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

  DependentLister(SelectorSupport selectors) {
    this.selectors = selectors;
  }

  /** How far the reading went, and by which way. */
  record Outcome(Extent extent, LookupPath path) {}

  /** Whether there may be more. */
  enum Extent {
    ALL,
    STOPPED
  }

  /**
   * @param attempts gives whoever takes the dependents that may refer to the target; asked again,
   *     and what came before is void, if the list has to be read again
   * @param enough whether the rest need not be read; asked between pages
   * @throws WrongVersion if the workspace serves the type only in versions that the rules do not
   *     know
   */
  Outcome list(
      KubeReader workspace,
      Target target,
      DependentSearch search,
      Supplier<Consumer<KubeObject>> attempts,
      BooleanSupplier enough) {
    var reading = new Reading(workspace, target, search, attempts, enough);
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
  private static Extent selected(Reading reading, String namespace, List<String> wanted) {
    Consumer<KubeObject> each = reading.attempts.get();
    var seen = new HashSet<String>();
    for (String selector : wanted) {
      Extent extent =
          pages(
              reading,
              namespace,
              selector,
              object -> {
                if (seen.add(object.namespace() + "/" + object.name())) {
                  each.accept(object);
                }
              });
      if (extent == Extent.STOPPED) {
        return Extent.STOPPED;
      }
    }
    return Extent.ALL;
  }

  private static Extent pages(
      Reading reading, String namespace, String selector, Consumer<KubeObject> each) {
    ListQuery query =
        ListQuery.ALL.inNamespace(namespace).withFields(selector).withLimit(PAGE_SIZE);
    while (true) {
      ListEnd end =
          reading.workspace.scan(reading.search.dependent(), query, reading.search.mask(), each);
      if (end.continueToken().isEmpty()) {
        return Extent.ALL;
      }
      if (reading.enough.getAsBoolean()) {
        return Extent.STOPPED;
      }
      query = query.after(end.continueToken());
    }
  }

  /** What one reading is about. */
  private record Reading(
      KubeReader workspace,
      Target target,
      DependentSearch search,
      Supplier<Consumer<KubeObject>> attempts,
      BooleanSupplier enough) {}

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
