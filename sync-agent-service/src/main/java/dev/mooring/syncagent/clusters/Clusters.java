package dev.mooring.syncagent.clusters;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.UnlistedEndpoint;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.published.SyncMarks;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The service cluster and all workspaces that bind the export. An endpoint that the slice no longer
 * lists is followed until it shows that no workspace binds the export there, or until all that do
 * are shown at listed endpoints. Thread-safe.
 */
public final class Clusters implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Clusters.class);
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  public static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final KubeConnection kcp;
  private final KubeClient service;
  private final NamespaceWriter namespaceWriter;
  private final SharedWatches shared = new SharedWatches(this);
  private final CopyOnWriteArrayList<ConsumerObjects> followers = new CopyOnWriteArrayList<>();
  private final CopyOnWriteArrayList<Copies> copies = new CopyOnWriteArrayList<>();
  private final Supplier<Optional<Set<CopiedKind>>> published;
  private final ConsumerObjects bindings;

  /** By the slice as it is now. */
  private Set<URI> listed = Set.of();

  /** Those that are followed. */
  private Set<URI> endpoints = Set.of();

  /** Whether an endpoint is followed that the slice does not list. */
  private volatile boolean lingering;

  private volatile boolean mayLackShards;

  private record Copies(CopiedKind kind, ServiceObjects objects) {}

  /**
   * @param published the types of which copies may be on the service cluster, whether they are
   *     followed at the moment or not; empty if that is not known
   */
  public Clusters(
      KubeConnection kcp,
      KubeClient service,
      Scheduler scheduler,
      Supplier<Optional<Set<CopiedKind>>> published) {
    this.kcp = kcp;
    this.service = service;
    this.published = published;
    this.namespaceWriter = new NamespaceWriter(service, this::stored, scheduler);
    this.bindings = shared.inKcp(BINDINGS);
    shared.listen((_, type, _) -> {
      if (type.equals(BINDINGS)) {
        lookAgainAtUnlisted();
      }
    });
  }

  public KubeClient service() {
    return service;
  }

  /** Watches on types that several published types need. */
  public SharedWatches shared() {
    return shared;
  }

  /** Namespaces of the service cluster. */
  public ServiceObjects namespaces() {
    return shared.onService(NAMESPACES);
  }

  public NamespaceWriter namespaceWriter() {
    return namespaceWriter;
  }

  /**
   * The virtual workspace's addresses, one per shard, as the endpoint slice has them now.
   *
   * @param mayLackShards whether the slice is so new that a shard may still have to enter its URL
   */
  public synchronized void listed(Set<URI> current, boolean mayLackShards) {
    this.mayLackShards = mayLackShards;
    listed = Set.copyOf(current);
    var all = new TreeSet<>(endpoints);
    all.addAll(listed);
    follow(all);
    leaveUnlisted();
  }

  /** The slice is old enough to list every shard. */
  public void listsEveryShard() {
    mayLackShards = false;
  }

  /** The slice is about another APIExport from now on. */
  public synchronized void leaveAll() {
    listed = Set.of();
    lingering = false;
    follow(Set.of());
  }

  private void follow(Set<URI> current) {
    endpoints = Set.copyOf(current);
    followers.forEach(follower -> follower.follow(endpoints));
  }

  private synchronized void leaveUnlisted() {
    List<URI> unlisted = unlisted();
    boolean news = !lingering;
    // Before bindings are looked at: one that goes from now on has them looked at again.
    lingering = !unlisted.isEmpty();
    var kept = new TreeSet<>(endpoints);
    for (URI url : unlisted) {
      if (isDispensable(url)) {
        LOG.info(
            "Left endpoint {}: the slice does not list it, and no other workspace uses it", url);
        kept.remove(url);
      } else if (news) {
        LOG.warn(
            "The APIExportEndpointSlice does not list endpoint {} any more; its objects are synced"
                + " on until no workspace binds the export there",
            url);
      }
    }
    if (kept.size() < endpoints.size()) {
      follow(kept);
      lingering = !unlisted().isEmpty();
    }
  }

  private List<URI> unlisted() {
    return endpoints.stream().filter(url -> !listed.contains(url)).sorted().toList();
  }

  private boolean isDispensable(URI unlisted) {
    return UnlistedEndpoint.isDispensable(
        view(unlisted, unlisted), listed.stream().map(url -> view(url, unlisted)).toList());
  }

  /**
   * @param instead of which endpoint: what was never listed there need not be listed here
   */
  private UnlistedEndpoint.View view(URI url, URI instead) {
    return new UnlistedEndpoint.View(
        bindings.isSynced(url),
        followers.stream()
            .allMatch(follower -> follower.isSynced(url) || !follower.isSynced(instead)),
        bindings.keys(url));
  }

  /** Informers are not to be ended by their own threads. */
  private void lookAgainAtUnlisted() {
    if (lingering) {
      Thread.ofVirtual().name("endpoints").start(this::leaveUnlisted);
    }
  }

  /** Why an endpoint that the slice does not list cannot be followed, by its URL. */
  public synchronized Map<URI, KubeFailure> unlistedFailures() {
    var failures = new TreeMap<URI, KubeFailure>();
    unlisted()
        .forEach(url -> bindings.lastFailure(url).ifPresent(failure -> failures.put(url, failure)));
    return failures;
  }

  /** Those that are followed. */
  public synchronized Set<URI> endpoints() {
    return endpoints;
  }

  /** For lists over all workspaces, one for each endpoint. */
  public synchronized List<KubeReader> everyWorkspace() {
    return endpoints.stream()
        .<KubeReader>map(endpoint -> Endpoints.everyWorkspace(kcp, endpoint))
        .toList();
  }

  /** Follows a type in all workspaces, now and as endpoints change, until it is closed. */
  public synchronized ConsumerObjects follow(ResourceType type, ChangeListener listener) {
    var objects = new ConsumerObjects(kcp, type, listener, new EndpointOwner());
    followers.add(objects);
    objects.follow(endpoints);
    return objects;
  }

  private final class EndpointOwner implements ConsumerObjects.Owner {
    @Override
    public boolean knowsEveryEndpoint() {
      return !mayLackShards;
    }

    @Override
    public void listed() {
      lookAgainAtUnlisted();
    }

    @Override
    public void closed(ConsumerObjects objects) {
      followers.remove(objects);
    }
  }

  /** Copies on the service cluster, until they are closed. */
  public ServiceObjects copies(CopiedKind kind, InformerSpec spec, ChangeListener listener) {
    var objects =
        new ServiceObjects(
            service, spec, listener, gone -> copies.removeIf(each -> each.objects() == gone));
    copies.add(new Copies(kind, objects));
    return objects;
  }

  /** Whether anything that carries a source's mark is in this Namespace of the service cluster. */
  public boolean holdsCopies(String namespace) {
    return copies.stream().anyMatch(each -> holdsMarked(each.objects(), namespace))
        || shared.ofService().stream().anyMatch(view -> holdsMarked(view, namespace));
  }

  /** As {@link #holdsCopies}, as the server has it: of the types that are copied. */
  private NamespaceContents stored(String namespace) {
    var answers = new HashMap<CopiedKind, NamespaceContents>();
    for (Copies each : copies) {
      answers.merge(
          each.kind(),
          each.objects().stored(service, namespace),
          // A type may be followed a second time while the first comes to its end.
          (one, other) -> one == NamespaceContents.NOTHING ? other : one);
    }
    return published
        .get()
        .map(expected -> NamespaceContents.of(expected, answers))
        .orElse(NamespaceContents.UNKNOWN);
  }

  private static boolean holdsMarked(ServiceObjects view, String namespace) {
    return view.inNamespace(namespace).stream()
        .anyMatch(object -> object.labels().containsKey(SyncMarks.SOURCE_CLUSTER));
  }

  @Override
  public void close() {
    namespaceWriter.close();
    shared.close();
    followers.forEach(ConsumerObjects::close);
  }
}
