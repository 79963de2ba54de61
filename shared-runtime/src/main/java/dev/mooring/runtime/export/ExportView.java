package dev.mooring.runtime.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.ObjectCache;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that an APIExport's virtual workspace shows of some types, in all workspaces that bind
 * the export, on all shards: it follows the export's endpoint slices and keeps one informer for
 * each type and endpoint.
 *
 * <p>Waits without end, saying for what, while the server cannot be reached, a slice or its
 * endpoints are missing, or a list fails. Endpoints once known stay known while no slice can be
 * seen, so that a mistake in the export's workspace takes nothing away. Thread-safe.
 */
public final class ExportView implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExportView.class);
  private static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  private final KubeConnection connection;
  private final String export;
  private final List<ResourceType> types;
  private final ExportListener listener;
  private final Informer slices;
  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<URI, Map<ResourceType, Informer>> endpoints = new TreeMap<>();
  private boolean everReady;
  private boolean closed;

  private ExportView(
      KubeConnection connection, String export, List<ResourceType> types, ExportListener listener) {
    this.connection = Objects.requireNonNull(connection, "connection");
    this.export = Objects.requireNonNull(export, "export");
    var followed = new ArrayList<>(types);
    if (!followed.contains(BINDINGS)) {
      followed.add(BINDINGS);
    }
    this.types = List.copyOf(followed);
    this.listener = Objects.requireNonNull(listener, "listener");
    this.slices =
        Informer.start(connection.client(), InformerSpec.of(ExportEndpoints.SLICES), _ -> {});
  }

  /**
   * @param connection whose context points at the workspace of the export
   * @param listener is told of changes in these types, and in the export's bindings
   */
  public static ExportView start(
      KubeConnection connection, String export, List<ResourceType> types, ExportListener listener) {
    var view = new ExportView(connection, export, types, listener);
    // Only now: a listener must not see a view that is still being built.
    view.slices.addListener(_ -> view.slicesChanged());
    view.slices.synced().thenRun(view::slicesChanged);
    return view;
  }

  /** Whether all objects are known, and if not, why. */
  public ExportState state() {
    lock.lock();
    try {
      ExportState state = stateNow();
      everReady |= state instanceof ExportState.Ready;
      return state;
    } finally {
      lock.unlock();
    }
  }

  /** Sorted by key; complete only while {@link #state} is ready. */
  public List<KubeObject> all(ResourceType type) {
    var all = new TreeMap<ObjectKey, KubeObject>();
    for (Informer informer : informers(type)) {
      for (KubeObject object : informer.cache().all()) {
        all.put(ObjectCache.keyOf(object), object);
      }
    }
    return List.copyOf(all.values());
  }

  public Optional<KubeObject> get(ResourceType type, ObjectKey key) {
    return informers(type).stream()
        .flatMap(informer -> informer.cache().get(key).stream())
        .findFirst();
  }

  /**
   * The one, of those that the type is followed by, that was in contact longest ago: what it would
   * have said since is not known. The slices, which say where else the type is to be followed, are
   * one of them.
   *
   * @return empty if one of them never was; then {@link #state} is not ready
   */
  public Optional<ExportContact> quietest(ResourceType type) {
    var followed = new ArrayList<>(informers(type));
    followed.add(slices);
    ExportContact quietest = null;
    for (Informer informer : followed) {
      Optional<Instant> at = informer.status().lastContact();
      if (at.isEmpty()) {
        return Optional.empty();
      }
      if (quietest == null || at.get().isBefore(quietest.at())) {
        quietest =
            new ExportContact(
                at.get(),
                informer.spec().type().qualified() + " at " + informer.url(),
                informer.lastFailure().map(KubeFailure::getMessage).orElse(""));
      }
    }
    return Optional.ofNullable(quietest);
  }

  /** The workspaces that bind the export, sorted. */
  public SortedSet<LogicalCluster> boundClusters() {
    var bound = new TreeSet<LogicalCluster>();
    for (Informer informer : informers(BINDINGS)) {
      informer.cache().keys().forEach(key -> bound.add(key.cluster()));
    }
    return bound;
  }

  /** One workspace as the export sees it; empty if that workspace does not bind the export. */
  public Optional<KubeClient> client(LogicalCluster cluster) {
    lock.lock();
    try {
      return endpoints.entrySet().stream()
          .filter(e -> !e.getValue().get(BINDINGS).cache().inCluster(cluster).isEmpty())
          .map(Map.Entry::getKey)
          .findFirst()
          .map(url -> connection.client(URI.create(url + "/clusters/" + cluster.name())));
    } finally {
      lock.unlock();
    }
  }

  /** For operators: each endpoint with what is held of each type. */
  public Map<String, Object> describe() {
    lock.lock();
    try {
      var described = new LinkedHashMap<String, Object>();
      endpoints.forEach((url, informers) -> {
        var held = new LinkedHashMap<String, Object>();
        informers.forEach((type, informer) -> held.put(type.qualified(), describe(informer)));
        described.put(url.toString(), held);
      });
      return described;
    } finally {
      lock.unlock();
    }
  }

  /** Ends all informers. Idempotent. */
  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      slices.close();
      endpoints.values().forEach(ExportView::close);
      endpoints.clear();
    } finally {
      lock.unlock();
    }
  }

  private static Map<String, Object> describe(Informer informer) {
    var status = informer.status();
    var described = new LinkedHashMap<String, Object>();
    described.put("synced", status.synced());
    described.put("connected", status.connected());
    described.put("objects", status.objects());
    status.lastHeard().ifPresent(heard -> described.put("lastHeard", heard.toString()));
    status.lastFailure().ifPresent(f -> described.put("lastFailure", f.getMessage()));
    return described;
  }

  private ExportState stateNow() {
    if (closed) {
      return new ExportState.Waiting("the view was closed");
    }
    if (!slices.isSynced()) {
      return new ExportState.Waiting(
          "the APIExportEndpointSlices in "
              + connection.server()
              + " cannot be listed yet"
              + because(slices));
    }
    if (endpoints.isEmpty()) {
      return everReady ? new ExportState.Ready() : new ExportState.Waiting(noEndpoints());
    }
    for (Map.Entry<URI, Map<ResourceType, Informer>> endpoint : endpoints.entrySet()) {
      for (Map.Entry<ResourceType, Informer> followed : endpoint.getValue().entrySet()) {
        if (!followed.getValue().isSynced()) {
          return new ExportState.Waiting(
              followed.getKey().qualified()
                  + " at "
                  + endpoint.getKey()
                  + " cannot be listed yet"
                  + because(followed.getValue()));
        }
      }
    }
    return new ExportState.Ready();
  }

  private String noEndpoints() {
    return ExportEndpoints.of(export, slices.cache().all()).isEmpty()
        ? "there is no APIExportEndpointSlice of APIExport "
            + export
            + " in "
            + connection.server()
            + "; create the APIExport there, or point the kubeconfig at its workspace"
        : "the APIExportEndpointSlice of APIExport "
            + export
            + " has no endpoints: no workspace has bound the export yet";
  }

  private static String because(Informer informer) {
    return informer.lastFailure().map(KubeFailure::getMessage).map(m -> ": " + m).orElse("");
  }

  private void slicesChanged() {
    Optional<ExportEndpoints> found = ExportEndpoints.of(export, slices.cache().all());
    lock.lock();
    try {
      if (closed || !slices.isSynced()) {
        return;
      }
      if (found.isEmpty()) {
        LOG.warn("Waiting: {}", noEndpoints());
        return;
      }
      for (URI url : List.copyOf(endpoints.keySet())) {
        if (!found.get().urls().contains(url)) {
          LOG.info("APIExport {} is no longer served at {}", export, url);
          close(endpoints.remove(url));
        }
      }
      for (URI url : found.get().urls()) {
        if (!endpoints.containsKey(url)) {
          LOG.info("APIExport {} is served at {}", export, url);
          endpoints.put(url, follow(url));
        }
      }
      if (endpoints.isEmpty()) {
        LOG.info("Waiting: {}", noEndpoints());
      }
    } finally {
      lock.unlock();
    }
    listener.stateChanged();
  }

  private Map<ResourceType, Informer> follow(URI url) {
    KubeClient everywhere = connection.client(URI.create(url + "/clusters/*"));
    var informers = new HashMap<ResourceType, Informer>();
    for (ResourceType type : types) {
      Informer informer =
          Informer.start(everywhere, InformerSpec.of(type), change -> tell(type, change));
      informer.synced().thenRun(listener::stateChanged);
      informers.put(type, informer);
    }
    return Map.copyOf(informers);
  }

  private void tell(ResourceType type, Change change) {
    listener.changed(type, change);
  }

  private List<Informer> informers(ResourceType type) {
    lock.lock();
    try {
      return endpoints.values().stream().map(held -> held.get(type)).toList();
    } finally {
      lock.unlock();
    }
  }

  private static void close(Map<ResourceType, Informer> informers) {
    informers.values().forEach(Informer::close);
  }
}
