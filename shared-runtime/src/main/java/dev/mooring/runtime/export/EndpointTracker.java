package dev.mooring.runtime.export;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.time.Scheduler;
import java.net.URI;
import java.time.InstantSource;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The endpoints of an APIExport's virtual workspace that are followed. A slice that does not list
 * an endpoint says little: kcp makes a deleted slice again, and each shard enters its own URL some
 * time later. So an endpoint is followed from when a slice first lists it until it is dispensable:
 * until no workspace binds the export there, or all that do are shown at a listed endpoint. Without
 * any slice every endpoint stays. Thread-safe.
 */
final class EndpointTracker {
  private static final Logger LOG = LoggerFactory.getLogger(EndpointTracker.class);

  private final ExportWatchOptions options;
  private final CopyOnWriteArrayList<MultiShardInformer> followers;
  private final InstantSource clock;
  private final Scheduler scheduler;
  private final Runnable changed;
  private volatile EndpointSliceStabilizer stabilizer;
  private volatile Optional<ExportRef> export;
  private volatile SortedSet<URI> urls = Collections.emptySortedSet();

  /** By the slices as they are now; empty while there are none. */
  private volatile Optional<SortedSet<URI>> listed = Optional.empty();

  /** Endpoints of the slices that overrides give one URL; empty if there are none. */
  private volatile SortedSet<URI> merged = Collections.emptySortedSet();

  /** Whether an endpoint was dropped because no workspace binds the export there any more. */
  private volatile boolean emptied;

  /** Whether an endpoint is followed that no slice lists. */
  private volatile boolean lingering;

  private boolean closed;

  /**
   * @param changed run when a slice that was new is settled
   */
  EndpointTracker(
      ExportWatchOptions options,
      CopyOnWriteArrayList<MultiShardInformer> followers,
      InstantSource clock,
      Scheduler scheduler,
      Runnable changed) {
    this.options = options;
    this.followers = followers;
    this.clock = clock;
    this.scheduler = scheduler;
    this.changed = changed;
    this.export = options.slices().export(List.of());
    this.stabilizer = newStabilizer();
  }

  private EndpointSliceStabilizer newStabilizer() {
    return new EndpointSliceStabilizer(clock, scheduler, changed);
  }

  synchronized void start() {
    follow(options.known());
  }

  synchronized void add(MultiShardInformer objects) {
    followers.add(objects);
    objects.follow(urls);
  }

  Optional<ExportRef> export() {
    return export;
  }

  SortedSet<URI> urls() {
    return urls;
  }

  SortedSet<URI> merged() {
    return merged;
  }

  boolean isEmptied() {
    return emptied;
  }

  boolean areListed() {
    return listed.isPresent();
  }

  boolean isListed(URI url) {
    return listed.filter(found -> found.contains(url)).isPresent();
  }

  List<URI> unlisted() {
    return urls.stream().filter(url -> !isListed(url)).toList();
  }

  boolean isSettled() {
    return !stabilizer.mayLackShards();
  }

  synchronized void slicesChanged(Collection<KubeObject> all) {
    if (closed) {
      return;
    }
    List<KubeObject> slices = options.slices().select(all);
    Optional<ExportRef> named = slices.isEmpty() ? export : options.slices().export(slices);
    if (export.isPresent() && !named.equals(export)) {
      LOG.info("The slice names {} in place of {}", named.orElseThrow(), export.get());
      replaceUrls(Set.of());
      emptied = false;
      stabilizer = newStabilizer();
    }
    export = named;
    stabilizer.see(slices);
    Optional<SortedSet<URI>> published = endpoints(slices);
    if (published.isEmpty() && listed.isPresent()) {
      LOG.warn("No APIExportEndpointSlice is left; still using its last known endpoints");
    }
    listed = published.map(found -> new TreeSet<>(options.overrides().apply(found)));
    merge(published);
    listed.ifPresent(this::follow);
    dropUnlisted();
  }

  /**
   * The URLs of an export's virtual workspace, one for each shard that has a binding.
   *
   * @return empty if there are no slices; no URLs until a workspace binds the export
   */
  static Optional<SortedSet<URI>> endpoints(Collection<KubeObject> slices) {
    if (slices.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        slices.stream()
            .flatMap(slice -> slice.list("status", "endpoints").stream())
            .map(endpoint -> Trees.text(endpoint, "url"))
            .filter(url -> !url.isEmpty())
            .map(URI::create)
            .collect(Collectors.toCollection(TreeSet::new)));
  }

  private void merge(Optional<SortedSet<URI>> published) {
    SortedSet<URI> before = merged;
    merged =
        published
            .filter(found -> found.size() > listed.orElseThrow().size())
            .orElseGet(Collections::emptySortedSet);
    if (!merged.isEmpty() && !merged.equals(before)) {
      LOG.warn(
          "endpoint-host-override makes one of several of these endpoints, so that objects of some"
              + " shards are not seen: {}",
          merged);
    }
  }

  private void follow(Set<URI> more) {
    var all = new TreeSet<>(urls);
    for (URI url : more) {
      if (all.add(url)) {
        LOG.info("APIExport {} is served at {}", name(), url);
      }
    }
    replaceUrls(all);
  }

  private void replaceUrls(Set<URI> now) {
    urls = Collections.unmodifiableSortedSet(new TreeSet<>(now));
    followers.forEach(follower -> follower.follow(urls));
  }

  /** On a thread of its own, as informers must not be closed by their own threads. */
  void dropDispensable() {
    if (lingering) {
      Thread.ofVirtual()
          .name("endpoints")
          .start(() -> {
            dropUnlisted();
            changed.run();
          });
    }
  }

  private synchronized void dropUnlisted() {
    if (closed) {
      return;
    }
    List<URI> unlisted = unlisted();
    boolean news = !lingering;
    // Before bindings are read: a binding that goes from now on starts another check.
    lingering = !unlisted.isEmpty();
    var kept = new TreeSet<>(urls);
    for (URI url : unlisted) {
      if (listed.isPresent() && isDispensable(url)) {
        LOG.info("APIExport {} is no longer served at {}", name(), url);
        kept.remove(url);
        emptied = true;
      } else if (news) {
        LOG.warn(
            "No APIExportEndpointSlice of APIExport {} lists {} now; it is followed until no"
                + " workspace binds the export there",
            name(),
            url);
      }
    }
    if (kept.size() < urls.size()) {
      replaceUrls(kept);
      lingering = !unlisted().isEmpty();
    }
  }

  private boolean isDispensable(URI unlisted) {
    return isDispensable(
        shown(unlisted, unlisted),
        urls.stream().filter(this::isListed).map(url -> shown(url, unlisted)).toList());
  }

  /**
   * @param instead of which endpoint: a type that was never listed there need not be listed here
   */
  private Shown shown(URI url, URI instead) {
    MultiShardInformer bindings =
        followers.stream()
            .filter(objects -> objects.type().equals(ExportView.BINDINGS))
            .findFirst()
            .orElseThrow();
    return new Shown(
        bindings.isSynced(url),
        followers.stream().allMatch(each -> each.isSynced(url) || !each.isSynced(instead)),
        bindings.informer(url).map(informer -> informer.cache().keys()).orElse(List.of()));
  }

  /**
   * What one endpoint shows.
   *
   * @param bindingsListed whether all its APIBindings were listed once
   * @param everythingListed whether all its objects of every followed type were
   * @param bindings keys of its APIBindings as last seen
   */
  record Shown(boolean bindingsListed, boolean everythingListed, Collection<ObjectKey> bindings) {}

  /**
   * Whether every workspace that binds the export at the endpoint is shown at a listed endpoint as
   * well; also if no workspace does.
   */
  static boolean isDispensable(Shown unlisted, Collection<Shown> listed) {
    var elsewhere = new HashSet<ObjectKey>();
    listed.stream()
        .filter(Shown::everythingListed)
        .forEach(endpoint -> elsewhere.addAll(endpoint.bindings()));
    return unlisted.bindingsListed() && elsewhere.containsAll(unlisted.bindings());
  }

  private String name() {
    return export.map(ExportRef::name).orElse("");
  }

  synchronized void close() {
    closed = true;
    urls = Collections.emptySortedSet();
  }
}
