package dev.mooring.syncagent.clusters;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.ExportListener;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.export.ExportWatchOptions;
import dev.mooring.runtime.export.MultiShardInformer;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.HashMap;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.Supplier;

/** The service cluster, and all workspaces that bind the APIExport. Thread-safe. */
public final class Clusters implements AutoCloseable {
  public static final ResourceType NAMESPACES = ResourceType.core("namespaces");

  private final KubeClient service;
  private final ExportView export;
  private final NamespaceWriter namespaceWriter;
  private final SharedWatches shared;
  private final WorkspacePathCache workspacePaths = new WorkspacePathCache();
  private final CopyOnWriteArrayList<Copies> copies = new CopyOnWriteArrayList<>();
  private final Supplier<Optional<Set<CopiedKind>>> published;
  private final WorkShare work;

  private record Copies(CopiedKind kind, ServiceObjects objects) {}

  /**
   * @param published the types of which copies may be on the service cluster, whether they are
   *     followed at the moment or not; empty if that is not known
   * @param exportChanged called when the APIExport or its endpoints may be others, and when the
   *     objects of an endpoint were first listed; must not block
   */
  public Clusters(
      WorkShare work,
      KubeConnection kcp,
      ExportWatchOptions terms,
      KubeClient service,
      Clocks clocks,
      Scheduler scheduler,
      Supplier<Optional<Set<CopiedKind>>> published,
      Runnable exportChanged) {
    this.work = work;
    this.service = service;
    this.published = published;
    this.export =
        ExportView.of(
            kcp, terms, new BindingListener(this, exportChanged), clocks.steady(), scheduler);
    this.shared = new SharedWatches(service, export);
    this.namespaceWriter = new NamespaceWriter(service, this::stored, work, scheduler);
  }

  /** Begins to follow endpoints. */
  public void start() {
    export.start();
  }

  private record BindingListener(Clusters clusters, Runnable exportChanged)
      implements ExportListener {
    @Override
    public void changed(ResourceType type, Change change) {
      clusters.shared.bindingChanged(change);
    }

    @Override
    public void stateChanged() {
      exportChanged.run();
    }
  }

  public KubeClient service() {
    return service;
  }

  public WorkShare work() {
    return work;
  }

  /** What the APIExport's virtual workspace shows. */
  public ExportView export() {
    return export;
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

  public WorkspacePathCache workspacePaths() {
    return workspacePaths;
  }

  /** Follows a type in all workspaces, until the result is closed. */
  public MultiShardInformer follow(InformerSpec spec, ChangeListener listener) {
    return export.follow(spec, listener);
  }

  /** As {@link #follow}, what other replicas work on {@link ReducedObjects reduced}. */
  public MultiShardInformer followOwn(InformerSpec spec, ChangeListener listener) {
    return export.follow(reducing(spec, KubeObject::logicalCluster), listener);
  }

  /**
   * Copies on the service cluster, until they are closed; what other replicas work on {@link
   * ReducedObjects reduced}.
   */
  public ServiceObjects copies(CopiedKind kind, InformerSpec spec, ChangeListener listener) {
    var objects =
        ServiceObjects.start(
            service,
            reducing(
                spec,
                copy ->
                    Optional.ofNullable(copy.labels().get(SyncMarks.SOURCE_CLUSTER))
                        .flatMap(LogicalCluster::parse)),
            listener,
            gone -> copies.removeIf(each -> each.objects() == gone));
    copies.add(new Copies(kind, objects));
    return objects;
  }

  /** Whether an object with a source's mark is in this Namespace of the service cluster. */
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
          // A type may be followed a second time while the first sync of it drains.
          (one, other) -> one == NamespaceContents.NOTHING ? other : one);
    }
    return published
        .get()
        .map(expected -> NamespaceContents.of(expected, answers))
        .orElse(NamespaceContents.UNKNOWN);
  }

  /**
   * @param cluster of an object's source
   */
  private InformerSpec reducing(
      InformerSpec spec, Function<KubeObject, Optional<LogicalCluster>> cluster) {
    return spec.keeping(object ->
        cluster.apply(object).map(work::owns).orElse(true)
            ? spec.kept().apply(object)
            : ReducedObjects.reduce(object));
  }

  private static boolean holdsMarked(ServiceObjects view, String namespace) {
    return view.inNamespace(namespace).stream()
        .anyMatch(object -> object.labels().containsKey(SyncMarks.SOURCE_CLUSTER));
  }

  @Override
  public void close() {
    namespaceWriter.close();
    shared.close();
    export.close();
  }
}
