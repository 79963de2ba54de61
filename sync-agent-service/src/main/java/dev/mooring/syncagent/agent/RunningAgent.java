package dev.mooring.syncagent.agent;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.export.ExportRef;
import dev.mooring.runtime.export.ExportWatchOptions;
import dev.mooring.runtime.export.SliceSelector;
import dev.mooring.runtime.log.LogFields;
import dev.mooring.runtime.queue.QueueListener;
import dev.mooring.runtime.queue.QueueOptions;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.trace.Telemetry;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.runtime.watch.InformerSpec.AfterWatch;
import dev.mooring.syncagent.clusters.Clusters;
import dev.mooring.syncagent.clusters.CopiedKind;
import dev.mooring.syncagent.clusters.ServiceObjects;
import dev.mooring.syncagent.clusters.WorkShare;
import dev.mooring.syncagent.publish.ExportLocator;
import dev.mooring.syncagent.publish.PublicationReconciler;
import dev.mooring.syncagent.publish.Publisher;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.sync.ObjectSync;
import dev.mooring.syncagent.sync.SyncSupervisor;
import dev.mooring.syncagent.sync.decide.ReplicaNote;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that runs while this process may act. The connections stay its maker's.
 *
 * @param service connection to the service cluster
 */
public record RunningAgent(
    KubeConnection service,
    KubeConnection kcp,
    EventRecorder recorder,
    WorkQueue<String> queue,
    Clusters clusters,
    SyncSupervisor supervisor,
    ServiceObjects published,
    ServiceObjects crds,
    ExportLocator export,
    PublicationReconciler reconciler) {
  private static final Logger LOG = LoggerFactory.getLogger(RunningAgent.class);

  /** Publishing is rare and light; more would only queue up at the one APIExport. */
  private static final int PUBLISH_WORKERS = 2;

  /** Pods are killed after 30 seconds by default: the Lease has to be released by then. */
  static final Duration DRAIN = Duration.ofSeconds(20);

  /**
   * @param work what this replica works on
   * @param known endpoints of the agent that this one replaces
   */
  static RunningAgent start(
      AgentSettings settings,
      WorkShare work,
      Publisher publisher,
      KubeConnection service,
      KubeConnection kcp,
      KnownEndpoints known,
      Telemetry telemetry,
      Clocks clocks,
      Scheduler scheduler) {
    // Watches may report before everything is there: that waits until then.
    var started = new CompletableFuture<RunningAgent>();
    EventRecorder recorder = EventRecorder.start("mooring-sync-agent", settings.sync().agentName());
    WorkQueue<String> queue =
        WorkQueue.start(
            "publish",
            QueueOptions.workers(PUBLISH_WORKERS).withoutBlocking().tracedBy(telemetry.tracing()),
            name -> started.get().reconciler.reconcile(name),
            new FailureLog(started));
    var clusters =
        new Clusters(
            work,
            kcp,
            known.watchOptions(settings),
            service.client(),
            clocks,
            scheduler,
            () -> started.join().copiedKinds(),
            () -> started.join().exportChanged());
    var supervisor =
        new SyncSupervisor(
            clusters,
            settings.sync(),
            recorder,
            telemetry,
            clocks,
            scheduler,
            new SyncListener(new Debouncer(scheduler, queue::add), started));
    ServiceObjects published =
        ServiceObjects.start(
            service.client(),
            InformerSpec.of(PublishedResource.TYPE)
                .withLabels(settings.publishedResourceSelector()),
            change -> started.thenAccept(agent -> agent.publishedChanged(change)));
    ServiceObjects crds =
        ServiceObjects.start(
            service.client(),
            InformerSpec.of(PublicationReconciler.CRDS)
                .indexedBy(
                    PublicationReconciler.BY_KIND,
                    crd -> List.of(CopiedKind.definedBy(crd).toString())),
            change -> started.thenAccept(agent -> agent.crdChanged(change)));
    var export =
        new ExportLocator(
            kcp, settings.publish(), clusters.export(), () -> started.join().everythingChanged());
    var reconciler =
        new PublicationReconciler(
            settings.publish(),
            published,
            crds,
            export,
            supervisor,
            service.client(),
            recorder,
            clocks.wall(),
            clusters.export()::everywhere,
            publisher);
    var agent =
        new RunningAgent(
            service,
            kcp,
            recorder,
            queue,
            clusters,
            supervisor,
            published,
            crds,
            export,
            reconciler);
    started.complete(agent);
    clusters.start();
    return agent;
  }

  /** Those that are to be synced, whether they can be or not. */
  private Optional<Set<CopiedKind>> copiedKinds() {
    return published.isSynced()
        ? Optional.of(
            published.all().stream()
                .filter(resource -> !resource.deleting())
                .filter(resource ->
                    !Boolean.FALSE.equals(resource.at("spec", "synchronization", "enabled")))
                .map(CopiedKind::of)
                .collect(Collectors.toSet()))
        : Optional.empty();
  }

  /** What keeps the agent from doing its work; empty if nothing does. */
  List<String> reasons() {
    var reasons = new ArrayList<String>();
    check("service cluster: PublishedResources", published, reasons);
    check("service cluster: CustomResourceDefinitions", crds, reasons);
    check("service cluster: Namespaces", clusters.namespaces(), reasons);
    check("kcp: APIExport", export.isSynced(), export.lastFailure(), reasons);
    clusters
        .export()
        .unlistedFailures()
        .forEach((url, failure) ->
            reasons.add(
                ("kcp: endpoint %s is not listed by the APIExportEndpointSlice any more"
                        + " and cannot be followed; restart the agent if its shard is gone for"
                        + " good: %s")
                    .formatted(url, failure.getMessage())));
    if (!clusters.export().endpoints().isEmpty()) {
      List<ObjectSync> syncs = supervisor.all();
      // One that fails alone keeps no other from being synced.
      boolean allFail = syncs.stream().noneMatch(sync -> sync.lastFailure().isEmpty());
      for (ObjectSync sync : syncs) {
        if (allFail || sync.lastFailure().isEmpty()) {
          check(sync.publishedName(), sync.isSynced(), sync.lastFailure(), reasons);
        }
      }
    }
    return reasons;
  }

  /** Why PublishedResources cannot be listed or followed, by their names. */
  Map<String, String> failingResources() {
    var failing = new TreeMap<String, String>();
    for (ObjectSync sync : supervisor.all()) {
      sync.lastFailure()
          .ifPresent(failure -> failing.put(sync.publishedName(), failure.getMessage()));
    }
    return failing;
  }

  private static void check(String what, ServiceObjects objects, List<String> reasons) {
    check(what, objects.isSynced(), objects.lastFailure(), reasons);
  }

  private static void check(
      String what, boolean synced, Optional<KubeFailure> failure, List<String> reasons) {
    failure
        .map(KubeFailure::getMessage)
        .or(() -> synced ? Optional.empty() : Optional.of("not listed yet"))
        .ifPresent(why -> reasons.add(what + ": " + why));
  }

  public int publishedResources() {
    return published.all().size();
  }

  public int failingCondition(String type) {
    return (int)
        published.all().stream()
            .map(resource -> resource.condition(type))
            .filter(status -> !status.isEmpty() && !status.equals("True"))
            .count();
  }

  Map<String, Object> describe() {
    var resources = new LinkedHashMap<String, Object>();
    published.all().forEach(resource -> resources.put(resource.name(), describe(resource)));
    return Trees.ordered(
        "serviceCluster", service.server().toString(),
        "kcp", kcp.server().toString(),
        "endpoints", clusters.export().endpoints().stream().map(Object::toString).sorted().toList(),
        "publishedResources", resources);
  }

  /** Empty if there is no such PublishedResource. */
  public Optional<Map<String, Object>> describe(String name) {
    return published.find("", name).map(this::describe);
  }

  private Map<String, Object> describe(KubeObject resource) {
    var described =
        Trees.ordered(
            "schema", resource.text("status", "resourceSchemaName"),
            "conditions", resource.list("status", "conditions"));
    supervisor
        .find(resource.name())
        .ifPresent(sync -> described.put("sync", sync.status().describe()));
    return described;
  }

  public void resync() {
    reconciler.forgetTypes();
    everythingChanged();
    supervisor.all().forEach(ObjectSync::resync);
  }

  /** False if there is no such PublishedResource. */
  public boolean resync(String name) {
    if (published.find("", name).isEmpty()) {
      return false;
    }
    supervisor.find(name).ifPresent(ObjectSync::resync);
    return queue.add(name);
  }

  /** False if there is no such PublishedResource or object. */
  public boolean resync(String name, ObjectKey key) {
    return supervisor.find(name).map(sync -> sync.resync(key)).orElse(false);
  }

  /** Lets work under way end, for so long at most, and breaks off what has not. */
  void close(Duration drain) {
    try (var ending = Executors.newVirtualThreadPerTaskExecutor()) {
      ending.submit(() -> queue.close(drain));
      ending.submit(() -> supervisor.close(drain));
    }
    recorder.close();
    export.close();
    published.close();
    crds.close();
    clusters.close();
  }

  private void publishedChanged(Change change) {
    queue.add(change.key().name());
    if (change instanceof Change.Removed) {
      // A younger PublishedResource of the same type may take its place.
      everythingChanged();
    }
  }

  private void crdChanged(Change change) {
    CopiedKind defined = CopiedKind.definedBy(change.latest());
    published.all().stream()
        .filter(resource -> CopiedKind.of(resource).equals(defined))
        .forEach(resource -> queue.add(resource.name()));
  }

  private void exportChanged() {
    export.update();
    supervisor.endpointsChanged();
    everythingChanged();
  }

  KnownEndpoints knownEndpoints() {
    return new KnownEndpoints(clusters.export().export(), clusters.export().endpoints());
  }

  /** Some logical clusters are another replica's from now on. */
  void divided() {
    supervisor.all().forEach(ObjectSync::relist);
  }

  /** What the replica that publishes is to know of this one. */
  String note() {
    var states = new TreeMap<String, SyncState>();
    for (ObjectSync sync : supervisor.all()) {
      states.put(sync.publishedName(), supervisor.state(sync.publishedName()));
    }
    return ReplicaNote.of(states);
  }

  void everythingChanged() {
    published.all().forEach(resource -> queue.add(resource.name()));
  }

  /**
   * For the agent that replaces this one: endpoints that were followed until now.
   *
   * @param export that they serve; empty if no slice has named one yet
   */
  record KnownEndpoints(Optional<ExportRef> export, Set<URI> urls) {
    static final KnownEndpoints NONE = new KnownEndpoints(Optional.empty(), Set.of());

    /** Follow these from the start, and those that the slice lists. */
    private ExportWatchOptions watchOptions(AgentSettings settings) {
      return new ExportWatchOptions(
          new SliceSelector.Named(settings.publish().endpointSlice(), export),
          List.of(),
          urls,
          Duration.ZERO,
          settings.endpointOverrides(),
          AfterWatch.LIST_AGAIN);
    }
  }

  private record SyncListener(Debouncer debouncer, CompletableFuture<RunningAgent> started)
      implements ObjectSync.Listener {
    @Override
    public void passed(String publishedName) {
      debouncer.submit(publishedName);
    }

    @Override
    public void failingChanged(String publishedName) {
      debouncer.submitAtOnce(publishedName);
    }

    @Override
    public void typeMayHaveChanged(String publishedName) {
      RunningAgent agent = started.join();
      if (agent.reconciler.typeMayHaveChanged(publishedName)) {
        agent.queue.add(publishedName);
      }
    }
  }

  private record FailureLog(CompletableFuture<RunningAgent> started)
      implements QueueListener<String> {
    @Override
    public LogFields about(String name) {
      return LogFields.NONE.publishedResource(name);
    }

    @Override
    public void succeeded(String name, Duration took) {
      // Successful passes say themselves what they did.
    }

    @Override
    public void failed(String name, Exception cause, int failures, Duration retryAfter) {
      LOG.warn("Cannot publish {}, trying again in {}: {}", name, retryAfter, cause.getMessage());
      started.join().reconciler.recordFailure(name, cause);
    }
  }
}
