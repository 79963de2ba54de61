package dev.mooring.runtime.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.InformerTiming;
import dev.mooring.runtime.watch.ObjectCache;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/**
 * All objects that an APIExport's virtual workspace shows of some types, in all workspaces that
 * bind the export, on all shards. The view follows the endpoints that {@link EndpointTracker} finds
 * in the export's APIExportEndpointSlices, and keeps one informer for each type and endpoint.
 *
 * <p>While the server cannot be reached, a slice or its endpoints are missing, or a list fails, the
 * view waits, and {@link #state} says for what. Thread-safe.
 */
public final class ExportView implements AutoCloseable {
  public static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  static final ResourceType SLICES =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");

  private static final String FOLLOW = "get, list and watch";
  private static final String UNLISTED =
      "; no APIExportEndpointSlice lists this endpoint any more: restart the service if the shard"
          + " is gone for good";

  private final KubeConnection connection;
  private final ExportWatchOptions options;
  private final ExportListener listener;
  private final CopyOnWriteArrayList<MultiShardInformer> followed = new CopyOnWriteArrayList<>();

  /** The types of the options, and APIBindings. */
  private final Map<ResourceType, MultiShardInformer> types = new LinkedHashMap<>();

  private final Informer slices;
  private final EndpointTracker endpoints;

  /** Whether the endpoints follow the slices, which were listed before. */
  private volatile boolean slicesListed;

  private volatile boolean closed;

  private ExportView(
      KubeConnection connection,
      ExportWatchOptions options,
      ExportListener listener,
      InstantSource clock,
      Scheduler scheduler) {
    this.connection = connection;
    this.options = options;
    this.listener = listener;
    this.endpoints =
        new EndpointTracker(this.options, followed, clock, scheduler, this::stateChanged);
    this.slices =
        Informer.start(
            connection.client(),
            options.slices().spec().maxStaleness(options.maxStaleness()),
            _ -> {},
            InformerTiming.prompt());
    Stream.concat(options.types().stream(), Stream.of(BINDINGS))
        .distinct()
        .forEach(type -> types.put(type, follow(type, change -> changed(type, change))));
  }

  /**
   * As {@link #of(KubeConnection, ExportWatchOptions, ExportListener, InstantSource, Scheduler)}.
   */
  public static ExportView of(
      KubeConnection connection, ExportWatchOptions options, ExportListener listener) {
    return of(connection, options, listener, SystemTime.steadyClock(), SystemTime.scheduler());
  }

  /**
   * A view that lists slices already, and follows no endpoint before {@link #start()}.
   *
   * @param connection whose context points at the workspace of the slices
   * @param listener receives changes of the options' types, and of the export's APIBindings
   */
  public static ExportView of(
      KubeConnection connection,
      ExportWatchOptions options,
      ExportListener listener,
      InstantSource clock,
      Scheduler scheduler) {
    return new ExportView(connection, options, listener, clock, scheduler);
  }

  /** Begins to follow endpoints. Separate, so that listeners never see a half-built owner. */
  public ExportView start() {
    endpoints.start();
    slices.addListener(_ -> slicesChanged());
    slices.synced().thenRun(this::slicesChanged);
    return this;
  }

  /** Follows another type in all workspaces, until the result is closed. */
  public MultiShardInformer follow(ResourceType type, ChangeListener changes) {
    return follow(InformerSpec.of(type), changes);
  }

  /** As {@link #follow(ResourceType, ChangeListener)}. */
  public MultiShardInformer follow(InformerSpec what, ChangeListener changes) {
    InformerSpec spec = what.maxStaleness(options.maxStaleness()).with(options.afterWatch());
    var objects = new MultiShardInformer(this, spec, changes);
    endpoints.add(objects);
    return objects;
  }

  /** The export's APIBindings. */
  public MultiShardInformer bindings() {
    return objects(BINDINGS);
  }

  private MultiShardInformer objects(ResourceType type) {
    return Objects.requireNonNull(types.get(type), () -> type + " is not followed");
  }

  /** The APIExport; empty until a slice has named it. */
  public Optional<ExportRef> export() {
    return endpoints.export();
  }

  /** Whether the slices have been listed, and {@link #export} and {@link #endpoints} are theirs. */
  public boolean areSlicesListed() {
    return slicesListed;
  }

  /** Why the slices cannot be listed or watched at the moment. */
  public Optional<KubeFailure> sliceFailure() {
    return slices.lastFailure();
  }

  /** Whether all objects are known, and if not, why. */
  public ExportState state() {
    if (closed) {
      return new ExportState.Waiting("the view was closed");
    }
    if (!slicesListed) {
      return new ExportState.Waiting(
          "the APIExportEndpointSlices in %s cannot be listed yet%s"
              .formatted(connection.server(), because(slices)));
    }
    SortedSet<URI> merged = endpoints.merged();
    if (!merged.isEmpty()) {
      return new ExportState.Waiting(
          ("endpoint-host-override makes one of several endpoints of APIExport %s, so that what other"
                  + " shards have is not seen; give each its own host or port: %s")
              .formatted(exportName(), merged));
    }
    SortedSet<URI> urls = endpoints.urls();
    if (urls.isEmpty()) {
      return endpoints.isEmptied()
          ? new ExportState.Ready()
          : new ExportState.Waiting(noEndpoints());
    }
    for (URI url : urls) {
      Optional<Informer> unsynced = unsynced(url);
      if (unsynced.isPresent()) {
        return new ExportState.Waiting(
            "%s at %s cannot be listed yet%s%s"
                .formatted(
                    unsynced.get().spec().type().qualified(),
                    url,
                    because(unsynced.get()),
                    endpoints.isListed(url) ? "" : UNLISTED));
      }
    }
    return knowsEveryEndpoint()
        ? new ExportState.Ready()
        : new ExportState.Waiting(
            ("the APIExportEndpointSlice of APIExport %s was made a moment ago: shards may still have"
                    + " to enter their URLs")
                .formatted(exportName()));
  }

  /** False while a slice is so new that a shard may still have to enter its URL. */
  public boolean knowsEveryEndpoint() {
    return !options.known().isEmpty() || endpoints.isSettled();
  }

  /** The URLs that are followed. */
  public SortedSet<URI> endpoints() {
    return endpoints.urls();
  }

  /** For lists over all workspaces, one for each endpoint. */
  public List<KubeReader> everywhere() {
    return endpoints.urls().stream().<KubeReader>map(this::everyWorkspace).toList();
  }

  /** Why an endpoint that no slice lists cannot be followed, by its URL. */
  public Map<URI, KubeFailure> unlistedFailures() {
    var failures = new TreeMap<URI, KubeFailure>();
    for (URI url : endpoints.unlisted()) {
      bindings()
          .informer(url)
          .flatMap(Informer::lastFailure)
          .ifPresent(failure -> failures.put(url, failure));
    }
    return failures;
  }

  /** Sorted by key; complete only while {@link #state} is ready. */
  public List<KubeObject> all(ResourceType type) {
    var all = new TreeMap<ObjectKey, KubeObject>();
    for (Informer informer : objects(type).informers()) {
      for (KubeObject object : informer.cache().all()) {
        all.put(ObjectCache.keyOf(object), object);
      }
    }
    return List.copyOf(all.values());
  }

  public Optional<KubeObject> get(ResourceType type, ObjectKey key) {
    return objects(type).find(key);
  }

  /**
   * The informer of the types, or of the slices, whose last contact with its server is oldest: what
   * that server would have said since is not known.
   *
   * @return empty if an informer had no contact yet; then {@link #state} is not ready
   */
  public Optional<ExportContact> stalest(ResourceType... of) {
    ExportContact stalest = null;
    for (Informer informer : informersFor(of)) {
      Optional<Instant> at = informer.lastContact();
      if (at.isEmpty()) {
        return Optional.empty();
      }
      if (stalest == null || at.get().isBefore(stalest.at())) {
        stalest =
            new ExportContact(
                at.get(),
                informer.spec().type().qualified() + " at " + informer.url(),
                explained(informer).orElse(""));
      }
    }
    return Optional.ofNullable(stalest);
  }

  /** Lists the type and the slices again where they had no contact since; does not wait for it. */
  public void relist(ResourceType type, Instant staleSince) {
    for (Informer informer : informersFor(type)) {
      if (informer.lastContact().filter(at -> at.isBefore(staleSince)).isPresent()) {
        informer.relist();
      }
    }
  }

  private List<Informer> informersFor(ResourceType... of) {
    var informers = new ArrayList<>(List.of(slices));
    for (ResourceType type : of) {
      informers.addAll(objects(type).informers());
    }
    return informers;
  }

  /** One workspace as the export sees it; empty if that workspace does not bind the export. */
  public Optional<KubeClient> client(LogicalCluster cluster) {
    return endpoints.urls().stream()
        .filter(url ->
            bindings()
                .informer(url)
                .filter(informer -> !informer.cache().inCluster(cluster).isEmpty())
                .isPresent())
        .findFirst()
        .map(url -> workspace(url, cluster));
  }

  KubeClient everyWorkspace(URI endpoint) {
    return connection.client(below(endpoint, "*"));
  }

  KubeClient workspace(URI endpoint, LogicalCluster cluster) {
    return connection.client(below(endpoint, cluster.name()));
  }

  private static URI below(URI endpoint, String cluster) {
    String base = endpoint.toString();
    return URI.create(
        (base.endsWith("/") ? base.substring(0, base.length() - 1) : base)
            + "/clusters/"
            + cluster);
  }

  /**
   * What to grant, and where, for requests through the export by these verbs: kcp's refusal names
   * the resource that was asked for, which no role can grant there.
   *
   * @param verbs as in a sentence, such as "create and update"
   */
  public String remedy(String verbs) {
    return "let this service's user %s apiexports/content of APIExport %s in %s"
        .formatted(verbs, exportName(), connection.server());
  }

  /** For operators: each endpoint with what is held of each type. */
  public Map<String, Object> describe() {
    var described = new LinkedHashMap<String, Object>();
    for (URI url : endpoints.urls()) {
      var held = new LinkedHashMap<String, Object>();
      types.forEach((type, objects) ->
          objects
              .informer(url)
              .ifPresent(informer -> held.put(type.qualified(), describe(informer))));
      if (!endpoints.isListed(url)) {
        held.put("listed", false);
      }
      described.put(url.toString(), held);
    }
    return described;
  }

  private Map<String, Object> describe(Informer informer) {
    var described =
        Trees.ordered(
            "synced", informer.isSynced(),
            "connected", informer.isConnected(),
            "objects", informer.cache().size());
    informer.lastEventAt().ifPresent(at -> described.put("lastEventAt", at.toString()));
    explained(informer).ifPresent(why -> described.put("lastFailure", why));
    return described;
  }

  /** Ends all informers. Idempotent. */
  @Override
  public void close() {
    closed = true;
    slices.close();
    endpoints.close();
    List.copyOf(followed).forEach(MultiShardInformer::close);
  }

  private String noEndpoints() {
    return endpoints.areListed()
        ? ("the APIExportEndpointSlice of APIExport %s has no endpoints: no workspace has bound the"
                + " export yet")
            .formatted(exportName())
        : ("there is no APIExportEndpointSlice of APIExport %s in %s; create the APIExport there, or"
                + " point the kubeconfig at its workspace")
            .formatted(exportName(), connection.server());
  }

  private String exportName() {
    return endpoints.export().map(ExportRef::name).orElse("");
  }

  private String because(Informer informer) {
    return explained(informer).map(why -> ": " + why).orElse("");
  }

  /** Why it fails, with what to do about it if a right is missing. */
  private Optional<String> explained(Informer informer) {
    return informer
        .lastFailure()
        .map(failure ->
            failure.isMissingRight()
                ? "%s, and access / there: %s".formatted(remedy(informer), failure.getMessage())
                : failure.getMessage());
  }

  private String remedy(Informer informer) {
    return informer == slices
        ? "let this service's user %s apiexportendpointslices.apis.kcp.io in %s"
            .formatted(FOLLOW, connection.server())
        : remedy(FOLLOW);
  }

  /** An informer of the options' types at the endpoint that has not listed its objects yet. */
  private Optional<Informer> unsynced(URI url) {
    return types.values().stream()
        .flatMap(objects -> objects.informer(url).stream())
        .filter(informer -> !informer.isSynced())
        .findFirst();
  }

  private void slicesChanged() {
    if (slices.isSynced()) {
      endpoints.slicesChanged(slices.cache().all());
      slicesListed = true;
      stateChanged();
    }
  }

  private void stateChanged() {
    listener.stateChanged();
  }

  private void changed(ResourceType type, Change change) {
    listener.changed(type, change);
    if (type.equals(BINDINGS)) {
      endpoints.dropDispensable();
    }
  }

  /** An informer has listed all its objects for the first time. */
  void listed() {
    listener.stateChanged();
    endpoints.dropDispensable();
  }

  void closed(MultiShardInformer objects) {
    followed.remove(objects);
  }
}
