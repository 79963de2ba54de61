package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.lookup.decide.Served;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads the dependents as they are now, with one consistent list for each type, page by page, so
 * that memory does not grow with their number.
 *
 * <ol>
 *   <li>A namespaced target is referred to from its own namespace or by cluster-scoped dependents;
 *       a cluster-scoped target from anywhere.
 *   <li>A list that is not found proves nothing: discovery says whether the type is not served in
 *       this workspace (then there are no such objects), lies outside namespaces (then it is listed
 *       there), or is served in other versions only (then the answer is unknown).
 *   <li>Once more has been found than a message names, the rest is not read.
 * </ol>
 */
public final class StrictLookup implements ReferrerLookup {
  /** Pages of kcp's own default size: 16 to 20 ms each with 10,000 objects. */
  static final int PAGE_SIZE = 500;

  /** A list expires only if it takes minutes; who loses this race so often has another problem. */
  static final int RESTARTS_MAX = 3;

  private final Function<LogicalCluster, KubeReader> workspaces;

  /**
   * @param workspaces reads of one consumer's workspace
   */
  public StrictLookup(Function<LogicalCluster, KubeReader> workspaces) {
    this.workspaces = workspaces;
  }

  @Override
  public Lookup referrers(Target target, List<DependentSearch> searches) {
    KubeReader workspace = workspaces.apply(target.key().cluster());
    Set<Blocker> found = new HashSet<>();
    for (DependentSearch search : searches) {
      try {
        if (search(workspace, target, search, found) == Search.STOPPED_EARLY) {
          return new Lookup.Complete(Blockers.of(found, Search.STOPPED_EARLY));
        }
      } catch (KubeFailure failure) {
        return new Lookup.Incomplete(explained(search, target, failure));
      } catch (WrongVersion wrong) {
        return new Lookup.Incomplete(wrong.getMessage());
      }
    }
    return new Lookup.Complete(Blockers.of(found, Search.COMPLETE));
  }

  private static Search search(
      KubeReader workspace, Target target, DependentSearch search, Set<Blocker> found) {
    try {
      return scan(workspace, target, search, target.key().namespace(), found);
    } catch (KubeFailure failure) {
      if (!ServedTypes.notFound(failure)) {
        throw failure;
      }
    }
    return switch (ServedTypes.find(workspace, search.dependent())) {
      case Served.Nowhere() -> Search.COMPLETE;
      case Served.ClusterWide() -> scan(workspace, target, search, "", found);
      // The type came to be served between the two requests.
      case Served.InNamespaces() ->
          scan(workspace, target, search, target.key().namespace(), found);
      case Served.InOtherVersions(var versions) -> throw new WrongVersion(search, target, versions);
    };
  }

  private static Search scan(
      KubeReader workspace,
      Target target,
      DependentSearch search,
      String namespace,
      Set<Blocker> found) {
    for (int restart = 0; ; restart++) {
      try {
        return scanOnce(workspace, target, search, namespace, found);
      } catch (KubeFailure failure) {
        if (failure.kind() != KubeFailure.Kind.GONE || restart == RESTARTS_MAX) {
          throw failure;
        }
      }
    }
  }

  private static Search scanOnce(
      KubeReader workspace,
      Target target,
      DependentSearch search,
      String namespace,
      Set<Blocker> found) {
    ListQuery query = ListQuery.ALL.inNamespace(namespace).withLimit(PAGE_SIZE);
    while (true) {
      KubeList page = workspace.list(search.dependent(), query);
      for (KubeObject object : page.items()) {
        search.blocker(object, target).ifPresent(found::add);
      }
      if (page.continueToken().isEmpty()) {
        return Search.COMPLETE;
      }
      if (found.size() > Blockers.NAMED_MAX) {
        return Search.STOPPED_EARLY;
      }
      query = query.after(page.continueToken());
    }
  }

  private static String explained(DependentSearch search, Target target, KubeFailure failure) {
    String text = checking(search) + failure.getMessage();
    return switch (failure.kind()) {
      case FORBIDDEN, UNAUTHORIZED ->
          text
              + "; let the webhook's user get and list "
              + search.dependent().qualified()
              + " in logical cluster "
              + target.key().cluster()
              + " (usually by a ClusterRoleBinding in every shard's system:admin)";
      default -> text;
    };
  }

  private static String checking(DependentSearch search) {
    return "checking dependencies for rule "
        + String.join(", ", search.rules())
        + ": listing "
        + search.dependent()
        + ": ";
  }

  /** A rule that was written for a version that the workspace does not serve. */
  private static final class WrongVersion extends RuntimeException {
    private static final long serialVersionUID = 1L;

    WrongVersion(DependentSearch search, Target target, List<String> versions) {
      super(
          checking(search)
              + "logical cluster "
              + target.key().cluster()
              + " serves it only as "
              + String.join(", ", versions)
              + "; correct the rule's spec.dependent.version");
    }
  }
}
