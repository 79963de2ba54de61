package dev.mooring.syncagent.fleet;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.InformerSpec;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** The service cluster and all workspaces that bind the export. Thread-safe. */
public final class Fleet implements AutoCloseable {
  public static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final KubeConnection kcp;
  private final KubeClient service;
  private final NamespaceWriter namespaceWriter;
  private final SharedWatches shared = new SharedWatches(this);
  private final CopyOnWriteArrayList<ConsumerObjects> followers = new CopyOnWriteArrayList<>();
  private final CopyOnWriteArrayList<Copies> copies = new CopyOnWriteArrayList<>();
  private final Supplier<Optional<Set<CopiedKind>>> published;
  private Set<URI> endpoints = Set.of();

  private record Copies(CopiedKind kind, ServiceObjects objects) {}

  /**
   * @param published the types of which copies may be on the service cluster, whether they are
   *     followed at the moment or not; empty if that is not known
   */
  public Fleet(
      KubeConnection kcp, KubeClient service, Supplier<Optional<Set<CopiedKind>>> published) {
    this.kcp = kcp;
    this.service = service;
    this.published = published;
    this.namespaceWriter = new NamespaceWriter(service, this::stored, SystemTime.scheduler());
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

  /** The virtual workspace's addresses, one per shard, as the endpoint slice has them now. */
  public synchronized void endpoints(Set<URI> current) {
    endpoints = Set.copyOf(current);
    followers.forEach(follower -> follower.follow(endpoints));
  }

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
    var objects = new ConsumerObjects(kcp, type, listener, followers::remove);
    followers.add(objects);
    objects.follow(endpoints);
    return objects;
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
