package dev.mooring.depwebhook.lookup;

import com.google.common.base.Ticker;
import com.google.common.cache.CacheBuilder;
import dev.mooring.depwebhook.index.decide.TypeInWorkspace;
import dev.mooring.depwebhook.lookup.SearchResults.SearchResult.Read;
import dev.mooring.depwebhook.lookup.ServedTypes.Served;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.reading.JoinedScans;
import dev.mooring.depwebhook.reading.JoinedScans.Seeker;
import dev.mooring.depwebhook.reading.ListedObject;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Lists the dependents of one search by the server's field selectors, or else by one whole list,
 * object by object as they arrive, so that the whole is never held.
 *
 * <p>The whole list is not paged: kcp serves a whole list from its cache, but pages after the first
 * from etcd once that was compacted since the last write. Thread-safe.
 */
final class DependentLister {
  /**
   * Time until a refused field selector is tried again: the schema may declare the field by then.
   */
  static final Duration SELECTOR_RETRY = Duration.ofMinutes(10);

  /** More types in more workspaces than one replica reviews in ten minutes. */
  private static final int HINTS_MAX = 20_000;

  private final JoinedScans scans = new JoinedScans();

  // Which request to try first. A hint is never proof: the answer has to confirm it.
  private final Set<TypeInWorkspace> clusterScoped =
      hints(CacheBuilder.newBuilder().maximumSize(HINTS_MAX));
  private final Set<TypeInWorkspace> unselectable;

  DependentLister(InstantSource clock) {
    var ticker =
        new Ticker() {
          @Override
          public long read() {
            return ChronoUnit.NANOS.between(Instant.EPOCH, clock.instant());
          }
        };
    this.unselectable =
        hints(
            CacheBuilder.newBuilder()
                .maximumSize(HINTS_MAX)
                .expireAfterWrite(SELECTOR_RETRY)
                .ticker(ticker));
  }

  private static Set<TypeInWorkspace> hints(CacheBuilder<Object, Object> cache) {
    return Collections.newSetFromMap(cache.<TypeInWorkspace, Boolean>build().asMap());
  }

  /** One dependent type to be listed. */
  record Listing(KubeReader workspace, DeletionQuery query, DependentSearch search) {
    /** Of namespaced dependents; empty for all namespaces. */
    String namespace() {
      return search.namespaceFor(query.target());
    }

    TypeInWorkspace type() {
      return new TypeInWorkspace(query.target().key().cluster(), search.dependent());
    }
  }

  /**
   * @throws WrongVersion if the workspace serves the type only in versions that the rules do not
   *     know
   */
  Read list(Listing listing) {
    return hinted(listing).or(() -> inNamespace(listing)).orElseGet(() -> discovered(listing));
  }

  /** Empty without a hint, or if the answer disproves it. */
  private Optional<Read> hinted(Listing listing) {
    if (listing.namespace().isEmpty() || !clusterScoped.contains(listing.type())) {
      return Optional.empty();
    }
    Optional<Read> read = found(() -> clusterScoped(listing)).flatMap(found -> found);
    if (read.isEmpty()) {
      clusterScoped.remove(listing.type());
    }
    return read;
  }

  private Optional<Read> inNamespace(Listing listing) {
    return found(() -> read(listing, listing.namespace()));
  }

  private Read discovered(Listing listing) {
    return switch (ServedTypes.find(listing.workspace, listing.search.dependent())) {
      case Served.Nowhere() -> undiscovered(listing);
      case Served.ClusterWide() when listing.namespace().isEmpty() -> read(listing, "");
      case Served.ClusterWide() -> {
        Optional<Read> read = clusterScoped(listing);
        if (read.isPresent()) {
          clusterScoped.add(listing.type());
        }
        // Empty: the type was replaced by a namespaced one between the two requests.
        yield read.orElseGet(() -> read(listing, listing.namespace()));
      }
      // The type came to be served between the two requests.
      case Served.InNamespaces() -> read(listing, listing.namespace());
      case Served.InOtherVersions(var versions) -> throw new WrongVersion(versions);
    };
  }

  /** Discovery shows a new type some seconds late; a cluster-wide list shows it at once. */
  private Read undiscovered(Listing listing) {
    Optional<Read> late =
        listing.namespace().isEmpty()
            ? Optional.empty()
            : found(() -> clusterScoped(listing))
                .flatMap(outside -> outside.or(() -> inNamespace(listing)));
    return late.orElseGet(() -> {
      ServedTypes.requireUnbound(listing.workspace, listing.search.dependent());
      return new Attempt(listing, Scope.ANY, LookupMethod.LIST).read(Search.COMPLETE).orElseThrow();
    });
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

  /** Lists a cluster-scoped type; empty if an object in the list has a namespace. */
  private Optional<Read> clusterScoped(Listing listing) {
    return read(listing, "", Scope.CLUSTER);
  }

  private Read read(Listing listing, String namespace) {
    return read(listing, namespace, Scope.ANY).orElseThrow();
  }

  private Optional<Read> read(Listing listing, String namespace, Scope scope) {
    ListQuery query = ListQuery.ALL.inNamespace(namespace);
    Optional<List<String>> selectors = listing.search.selectors(listing.query.target());
    if (selectors.isPresent() && !unselectable.contains(listing.type())) {
      try {
        var attempt = new Attempt(listing, scope, LookupMethod.SELECTOR);
        return attempt.read(selected(listing, query, selectors.get(), attempt));
      } catch (KubeFailure failure) {
        // Servers word the refusal of a selector in several ways, all with status 400
        // (apimachinery, ConvertFieldLabel). Another cause of a 400 fails the whole list as well.
        if (failure.kind() != KubeFailure.Kind.INVALID) {
          throw failure;
        }
        unselectable.add(listing.type());
      }
    }
    var attempt = new Attempt(listing, scope, LookupMethod.LIST);
    return attempt.read(scan(listing, query, attempt));
  }

  /** One narrow list for each field. */
  private Search selected(
      Listing listing, ListQuery query, List<String> selectors, Attempt attempt) {
    for (String selector : selectors) {
      if (scan(listing, query.withFields(selector), attempt) == Search.STOPPED_EARLY) {
        return Search.STOPPED_EARLY;
      }
    }
    return Search.COMPLETE;
  }

  private Search scan(Listing listing, ListQuery query, Attempt attempt) {
    return scans.scan(
        listing.query.target().key().cluster(),
        listing.workspace,
        listing.search.dependent(),
        query,
        listing.search.mask(),
        attempt,
        listing.query.deadline());
  }

  /** Which objects a list is expected to have. */
  private enum Scope {
    ANY,
    /** Cluster-scoped ones only. */
    CLUSTER
  }

  /** Reads a type's lists, until they have an object that is not expected. */
  private static final class Attempt implements Seeker {
    private final ReferrerCollector referrers;
    private final Scope scope;
    private final LookupMethod method;

    /** Namespace and name of objects that several selected lists may have. */
    private final Set<String> seen = new HashSet<>();

    private volatile boolean contradicted;

    Attempt(Listing listing, Scope scope, LookupMethod method) {
      this.referrers = new ReferrerCollector(listing.query, listing.search);
      this.scope = scope;
      this.method = method;
    }

    @Override
    public void see(ListedObject listed) {
      KubeObject object = listed.object();
      if (scope == Scope.CLUSTER && !object.namespace().isEmpty()) {
        contradicted = true;
      } else if (method == LookupMethod.LIST
          || seen.add(object.namespace() + "/" + object.name())) {
        referrers.see(listed);
      }
    }

    @Override
    public boolean hasEnough() {
      return contradicted || referrers.hasEnough();
    }

    /** To be called once the lists have ended; empty if an object was not expected. */
    Optional<Read> read(Search extent) {
      return contradicted ? Optional.empty() : Optional.of(new Read(method, extent, referrers));
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
