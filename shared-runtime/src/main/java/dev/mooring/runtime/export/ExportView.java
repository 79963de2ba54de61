package dev.mooring.runtime.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.Informer;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.InformerTiming;
import dev.mooring.runtime.watch.ObjectCache;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
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
 * endpoints are missing, or a list fails.
 *
 * <p>That a slice does not list an endpoint says little: kcp makes a slice anew that somebody
 * deleted, and each shard enters its own URL again when it comes to it. So an endpoint once known
 * stays known until it shows itself that nobody binds the export there, or until all who do are
 * shown at another one. A view that knows none yet waits until a slice is old enough to list all.
 * Thread-safe.
 */
public final class ExportView implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExportView.class);

  private static final String UNLISTED =
      "; no APIExportEndpointSlice lists this endpoint any more: restart the service if the shard"
          + " is gone for good";

  private final KubeConnection connection;
  private final String export;
  private final ExportTerms terms;
  private final ExportListener listener;
  private final ExportRights rights;
  private final Informer slices;
  private final SliceSettling newSlice;

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<URI, Endpoint> endpoints = new TreeMap<>();

  /** By the slices as they are now; empty while there are none. */
  private Optional<ExportEndpoints> listed = Optional.empty();

  /** Endpoints of the slices that have one URL in common as they are reached; empty if none do. */
  private SortedSet<URI> merged = new TreeSet<>();

  /** Whether an endpoint was left because it showed that there is nothing any more. */
  private boolean emptied;

  /** Whether an endpoint is followed that no slice lists. */
  private volatile boolean lingering;

  private boolean closed;

  private ExportView(
      KubeConnection connection,
      ExportTerms terms,
      ExportListener listener,
      InstantSource clock,
      Scheduler scheduler) {
    this.connection = Objects.requireNonNull(connection, "connection");
    this.export = terms.export();
    this.rights = new ExportRights(export, connection.server());
    this.terms = terms.including(Endpoint.BINDINGS);
    this.listener = Objects.requireNonNull(listener, "listener");
    this.newSlice = new SliceSettling(clock, scheduler, this::slicesChanged);
    this.slices =
        Informer.start(
            connection.client(),
            InformerSpec.of(ExportEndpoints.SLICES).maxStaleness(terms.maxStaleness()),
            _ -> {},
            InformerTiming.prompt());
  }

  /**
   * @param connection whose context points at the workspace of the export
   * @param listener is told of changes in the terms' types, and in the export's bindings
   */
  public static ExportView start(
      KubeConnection connection, ExportTerms terms, ExportListener listener) {
    return start(connection, terms, listener, SystemTime.steadyClock(), SystemTime.scheduler());
  }

  static ExportView start(
      KubeConnection connection,
      ExportTerms terms,
      ExportListener listener,
      InstantSource clock,
      Scheduler scheduler) {
    var view = new ExportView(connection, terms, listener, clock, scheduler);
    view.followAll(terms.known());
    // Only now: a listener must not see a view that is still being built.
    view.slices.addListener(_ -> view.slicesChanged());
    view.slices.synced().thenRun(view::slicesChanged);
    return view;
  }

  /** Whether all objects are known, and if not, why. */
  public ExportState state() {
    lock.lock();
    try {
      return stateNow();
    } finally {
      lock.unlock();
    }
  }

  /** The URLs that are followed. */
  public SortedSet<URI> endpoints() {
    lock.lock();
    try {
      return new TreeSet<>(endpoints.keySet());
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
  public Optional<ExportContact> stalest(ResourceType type) {
    ExportContact stalest = null;
    for (Informer informer : tellingOf(type)) {
      Optional<Instant> at = informer.status().lastContact();
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

  /**
   * Asks those of whom {@link #stalest} tells for everything anew; does not wait for it.
   *
   * @param quietSince those in contact after that are not asked
   */
  public void relist(ResourceType type, Instant quietSince) {
    for (Informer informer : tellingOf(type)) {
      if (informer.status().lastContact().filter(at -> at.isBefore(quietSince)).isPresent()) {
        informer.relist();
      }
    }
  }

  private List<Informer> tellingOf(ResourceType type) {
    var telling = new ArrayList<>(informers(type));
    telling.add(slices);
    return telling;
  }

  /** The workspaces that bind the export, sorted. */
  public SortedSet<LogicalCluster> boundClusters() {
    var bound = new TreeSet<LogicalCluster>();
    for (Informer informer : informers(Endpoint.BINDINGS)) {
      informer.cache().keys().forEach(key -> bound.add(key.cluster()));
    }
    return bound;
  }

  /** One workspace as the export sees it; empty if that workspace does not bind the export. */
  public Optional<KubeClient> client(LogicalCluster cluster) {
    lock.lock();
    try {
      return endpoints.entrySet().stream()
          .filter(e -> e.getValue().binds(cluster))
          .map(Map.Entry::getKey)
          .findFirst()
          .map(url -> connection.client(URI.create(url + "/clusters/" + cluster.name())));
    } finally {
      lock.unlock();
    }
  }

  /**
   * What to grant, and where, for requests through the export by these verbs.
   *
   * @param verbs as in a sentence, such as "create and update"
   */
  public String remedy(String verbs) {
    return rights.content(verbs);
  }

  /** For operators: each endpoint with what is held of each type. */
  public Map<String, Object> describe() {
    lock.lock();
    try {
      var described = new LinkedHashMap<String, Object>();
      endpoints.forEach((url, endpoint) -> {
        Map<String, Object> held = endpoint.describe(rights);
        if (!isListed(url)) {
          held.put("listed", false);
        }
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
      endpoints.values().forEach(Endpoint::close);
      endpoints.clear();
    } finally {
      lock.unlock();
    }
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
    if (!merged.isEmpty()) {
      return new ExportState.Waiting(
          "endpoint-host-override makes one of several endpoints of APIExport "
              + export
              + ", so that what other shards have is not seen; give each its own host or port: "
              + merged);
    }
    if (endpoints.isEmpty()) {
      return emptied ? new ExportState.Ready() : new ExportState.Waiting(noEndpoints());
    }
    for (Map.Entry<URI, Endpoint> followed : endpoints.entrySet()) {
      Optional<Informer> unlisted = followed.getValue().waitsFor();
      if (unlisted.isPresent()) {
        return new ExportState.Waiting(
            unlisted.get().spec().type().qualified()
                + " at "
                + followed.getKey()
                + " cannot be listed yet"
                + because(unlisted.get())
                + (isListed(followed.getKey()) ? "" : UNLISTED));
      }
    }
    return terms.known().isEmpty() && newSlice.mayLackShards()
        ? new ExportState.Waiting(
            "the APIExportEndpointSlice of APIExport "
                + export
                + " was made a moment ago: shards may still have to enter their URLs")
        : new ExportState.Ready();
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

  private String because(Informer informer) {
    return explained(informer).map(why -> ": " + why).orElse("");
  }

  private Optional<String> explained(Informer informer) {
    return informer.lastFailure().map(failure -> rights.explain(informer.spec().type(), failure));
  }

  private void slicesChanged() {
    lock.lock();
    try {
      if (closed || !slices.isSynced()) {
        return;
      }
      newSlice.see(ExportEndpoints.about(export, slices.cache().all()));
      Optional<ExportEndpoints> published = ExportEndpoints.of(export, slices.cache().all());
      listed = published.map(found -> found.reachedBy(terms.overrides()));
      merged =
          published
              .filter(found -> found.urls().size() > listed.orElseThrow().urls().size())
              .map(ExportEndpoints::urls)
              .orElseGet(TreeSet::new);
      listed.ifPresent(found -> followAll(found.urls()));
      leaveWhatIsEmpty();
      if (endpoints.isEmpty() && !emptied) {
        LOG.info("Waiting: {}", noEndpoints());
      }
    } finally {
      lock.unlock();
    }
    listener.stateChanged();
  }

  private void followAll(Set<URI> urls) {
    lock.lock();
    try {
      for (URI url : urls) {
        if (!endpoints.containsKey(url)) {
          LOG.info("APIExport {} is served at {}", export, url);
          endpoints.put(url, follow(url));
        }
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isListed(URI url) {
    return listed.filter(found -> found.urls().contains(url)).isPresent();
  }

  /** While there is no slice at all, nothing is certain. */
  private void leaveWhatIsEmpty() {
    List<URI> unlisted = endpoints.keySet().stream().filter(url -> !isListed(url)).toList();
    boolean news = !lingering;
    // Before bindings are looked at: one that goes from now on has them looked at again.
    lingering = !unlisted.isEmpty();
    for (URI url : unlisted) {
      if (listed.isPresent() && isDispensable(endpoints.get(url))) {
        LOG.info("APIExport {} is no longer served at {}", export, url);
        endpoints.remove(url).close();
        emptied = true;
      } else if (news) {
        LOG.warn(
            "No APIExportEndpointSlice of APIExport {} lists {} now; what is there stays known"
                + " until it is certain that nobody binds the export there any more",
            export,
            url);
      }
    }
    lingering = unlisted.stream().anyMatch(endpoints::containsKey);
  }

  private boolean isDispensable(Endpoint left) {
    List<UnlistedEndpoint.View> views =
        endpoints.entrySet().stream()
            .filter(entry -> isListed(entry.getKey()))
            .map(entry -> entry.getValue().view())
            .toList();
    return UnlistedEndpoint.isDispensable(left.view(), views);
  }

  /** Informers are not to be ended by their own threads. */
  private void lookAgainAtWhatLingers() {
    if (lingering) {
      Thread.ofVirtual().name("endpoints " + export).start(this::slicesChanged);
    }
  }

  private Endpoint follow(URI url) {
    KubeClient everywhere = connection.client(URI.create(url + "/clusters/*"));
    var informers = new HashMap<ResourceType, Informer>();
    for (ResourceType type : terms.types()) {
      Informer informer =
          Informer.start(
              everywhere,
              InformerSpec.of(type).maxStaleness(terms.maxStaleness()),
              change -> tell(type, change),
              InformerTiming.prompt());
      informer.synced().thenRun(this::firstListed);
      informers.put(type, informer);
    }
    return new Endpoint(informers);
  }

  private void firstListed() {
    listener.stateChanged();
    lookAgainAtWhatLingers();
  }

  private void tell(ResourceType type, Change change) {
    listener.changed(type, change);
    if (type.equals(Endpoint.BINDINGS)) {
      lookAgainAtWhatLingers();
    }
  }

  private List<Informer> informers(ResourceType type) {
    lock.lock();
    try {
      return endpoints.values().stream().map(endpoint -> endpoint.of(type)).toList();
    } finally {
      lock.unlock();
    }
  }
}
