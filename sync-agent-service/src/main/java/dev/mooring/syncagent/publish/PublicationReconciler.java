package dev.mooring.syncagent.publish;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.queue.ReconcileResult;
import dev.mooring.runtime.queue.Reconciler;
import dev.mooring.syncagent.clusters.ServiceObjects;
import dev.mooring.syncagent.publish.decide.ExportLookup;
import dev.mooring.syncagent.publish.decide.ListedSchema;
import dev.mooring.syncagent.publish.decide.OutdatedSchemas;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.publish.decide.PublicationPlan;
import dev.mooring.syncagent.publish.decide.PublicationPlan.SyncChange;
import dev.mooring.syncagent.publish.decide.PublicationPlanner;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot.NameConflict;
import dev.mooring.syncagent.publish.decide.Recheck;
import dev.mooring.syncagent.publish.decide.StatusFields;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.Publishing;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.SyncSupervisor;
import dev.mooring.syncagent.sync.decide.SyncState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * One pass over one PublishedResource: snapshot, plan, one write; starts and stops the syncing of
 * its objects. Each PublishedResource fails alone. Thread-safe.
 */
public final class PublicationReconciler implements Reconciler<String> {
  public static final ResourceType CRDS =
      new ResourceType("apiextensions.k8s.io", "v1", "customresourcedefinitions");

  /** Index of CRDs by the text of their {@link dev.mooring.syncagent.clusters.CopiedKind}. */
  public static final String BY_KIND = "kind";

  private static final Duration CACHES_RECHECK = Duration.ofSeconds(1);

  /** Consumers' bindings follow a new schema within seconds; a broken one may never. */
  private static final Duration PRUNE_RECHECK = Duration.ofSeconds(30);

  /** No watch reports changes of a type without a CRD. */
  private static final Duration TYPE_RECHECK = Duration.ofMinutes(1);

  /** A server behind the service cluster's that is down is back within seconds, or much later. */
  private static final Duration UNREADABLE_RECHECK = Duration.ofSeconds(10);

  private static final SyncState DISABLED =
      new SyncState.Waiting(
          "DisabledInAgent",
          "This agent was started with disabled-controllers=sync: another one has to keep objects"
              + " in step.");

  private static final Comparator<KubeObject> BY_AGE =
      Comparator.comparing((KubeObject object) -> object.text("metadata", "creationTimestamp"))
          .thenComparing(KubeObject::name);

  private final PublishSettings settings;
  private final ServiceObjects published;
  private final ServiceObjects crds;
  private final ExportLocator source;
  private final SyncSupervisor syncing;
  private final PublicationWriter writer;
  private final InstantSource clock;
  private final Supplier<List<KubeReader>> consumers;
  private final Publisher publisher;

  /** Names of schemas whose predecessors are pruned, by PublishedResource. */
  private final ConcurrentHashMap<String, String> pruned = new ConcurrentHashMap<>();

  private final PublicationCompiler compiler;

  /** Problems that an event was recorded for, by PublishedResource. */
  private final ConcurrentHashMap<String, String> reported = new ConcurrentHashMap<>();

  /**
   * @param consumers one for each endpoint of the export's virtual workspace
   */
  public PublicationReconciler(
      PublishSettings settings,
      ServiceObjects published,
      ServiceObjects crds,
      ExportLocator source,
      SyncSupervisor syncing,
      KubeClient service,
      EventRecorder recorder,
      InstantSource clock,
      Supplier<List<KubeReader>> consumers,
      Publisher publisher) {
    this.publisher = publisher;
    this.consumers = consumers;
    this.settings = settings;
    this.published = published;
    this.crds = crds;
    this.source = source;
    this.syncing = syncing;
    this.writer = new PublicationWriter(service, recorder);
    this.clock = clock;
    this.compiler = new PublicationCompiler(crds, service, settings.defaultGroup(), clock);
  }

  @Override
  public ReconcileResult reconcile(String name) {
    Optional<ExportLookup> export = source.lookup();
    if (!published.isSynced() || !crds.isSynced() || export.isEmpty()) {
      return new ReconcileResult.RequeueAfter(CACHES_RECHECK);
    }
    Optional<KubeObject> resource = published.find("", name);
    if (resource.isEmpty() || resource.get().deleting()) {
      forget(name);
      syncing.stop(name);
      return new ReconcileResult.Done();
    }
    PublicationSnapshot seen = read(resource.get(), export.get());
    control(seen);
    // Whether it is syncing is part of the status: read after it was started or stopped.
    PublicationSnapshot now = seen.with(state(name));
    if (!publisher.publishes()) {
      return recheck(now);
    }
    reportProblem(now);
    PublicationPlan plan = PublicationPlanner.plan(now);
    if (leftToOthers(plan)) {
      return new ReconcileResult.Done();
    }
    ReconcileResult next = carryOut(now, plan);
    if (!(next instanceof ReconcileResult.Done)) {
      return next;
    }
    return plan instanceof PublicationPlan.Settled ? prune(now) : recheck(now);
  }

  /** Once for each new schema, and on while a predecessor is still in use. */
  private ReconcileResult prune(PublicationSnapshot seen) {
    if (!(seen.publication() instanceof Publication.Ready(var resource, var schema))
        || resource.schemaRules().keepOldSchemas().isEmpty()
        || seen.export() instanceof ExportLookup.External
        || !PublicationPlanner.serving(seen).equals(Optional.of(schema))
        || schema.schemaName().equals(pruned.get(resource.name()))) {
      return recheck(seen);
    }
    ExportWorkspace workspace = source.workspace().orElseThrow();
    OutdatedSchemas outdated =
        outdated(workspace.client(), schema, resource.schemaRules().keepOldSchemas().getAsInt());
    writer.deleteSchemas(outdated.deletable(), workspace);
    if (outdated.stillUsed() > 0) {
      return new ReconcileResult.RequeueAfter(PRUNE_RECHECK);
    }
    pruned.put(resource.name(), schema.schemaName());
    return recheck(seen);
  }

  private OutdatedSchemas outdated(KubeReader workspace, ProjectedSchema wanted, int keep) {
    String agent = settings.agentName();
    ListQuery marked = ListQuery.ALL.withLabels(SyncMarks.AGENT_NAME + "=" + agent);
    List<KubeObject> schemas = workspace.list(ProjectedSchema.TYPE, marked).items();
    List<KubeObject> exports = workspace.list(ExportWorkspace.EXPORTS, ListQuery.ALL).items();
    List<KubeObject> bindings =
        consumers.get().stream()
            .flatMap(all -> all.list(ExportView.BINDINGS, ListQuery.ALL).items().stream())
            .toList();
    return OutdatedSchemas.of(
        wanted, agent, schemas, OutdatedSchemas.inUse(exports, bindings), keep);
  }

  /** By an event: where the service cluster has the Go agent's CRD there are no conditions. */
  private void reportProblem(PublicationSnapshot seen) {
    Optional<String> problem = PublicationPlanner.problem(seen);
    String name = seen.resource().name();
    if (problem.isEmpty()) {
      reported.remove(name);
    } else if (!problem.get().equals(reported.put(name, problem.get()))) {
      writer.warn(seen.resource(), problem.get());
    }
  }

  /** By an event: why the last pass over the PublishedResource failed. */
  public void recordFailure(String name, Exception cause) {
    published
        .find("", name)
        .filter(_ -> publisher.publishes())
        .ifPresent(resource -> writer.warn(resource, String.valueOf(cause.getMessage())));
  }

  private boolean leftToOthers(PublicationPlan plan) {
    return switch (plan) {
      case PublicationPlan.CreateSchema _, PublicationPlan.MarkSchema _ ->
          disabled(PublishSettings.Part.APIRESOURCESCHEMA);
      case PublicationPlan.UpdateExport _ -> disabled(PublishSettings.Part.APIEXPORT);
      case PublicationPlan.ReportStatus _, PublicationPlan.Settled _ -> false;
    };
  }

  private boolean disabled(PublishSettings.Part part) {
    return settings.disabled().contains(part);
  }

  /** Types without a CRD are read again at the next pass. */
  public void forgetTypes() {
    compiler.forgetTypes();
  }

  /**
   * The service cluster may serve a type in another form by now; false if a watch reports that,
   * because the type has a CRD.
   */
  public boolean typeMayHaveChanged(String name) {
    return compiler.typeMayHaveChanged(name);
  }

  private void forget(String name) {
    compiler.forget(name);
    pruned.remove(name);
    reported.remove(name);
  }

  private ReconcileResult carryOut(PublicationSnapshot seen, PublicationPlan plan) {
    try {
      return writer.execute(plan, source.workspace());
    } catch (KubeFailure e) {
      switch (e.kind()) {
        case INVALID, FORBIDDEN, TOO_LARGE, UNAUTHORIZED, NOT_SERVED, NOT_FOUND ->
            writer.execute(
                PublicationPlanner.refused(seen, plan, e.getMessage()), source.workspace());
        case ALREADY_EXISTS, CONFLICT, GONE, UNAVAILABLE -> {
          // Passes by itself; the queue tries again.
        }
      }
      throw e;
    }
  }

  private ReconcileResult recheck(PublicationSnapshot seen) {
    String name = seen.resource().name();
    return switch (Recheck.of(seen, compiler.typeSource(name))) {
      case NONE -> new ReconcileResult.Done();
      case CACHES_FILL -> new ReconcileResult.RequeueAfter(CACHES_RECHECK);
      case TYPE_UNREADABLE, SCHEMA_MISSING -> new ReconcileResult.RequeueAfter(UNREADABLE_RECHECK);
      case TYPE_UNWATCHED -> {
        compiler.expire(name);
        yield new ReconcileResult.RequeueAfter(TYPE_RECHECK);
      }
      case TYPE_MISSING -> new ReconcileResult.RequeueAfter(TYPE_RECHECK);
    };
  }

  private SyncState state(String name) {
    return disabled(PublishSettings.Part.SYNC)
        ? DISABLED
        : publisher.merged(name, syncing.state(name));
  }

  private void control(PublicationSnapshot seen) {
    if (disabled(PublishSettings.Part.SYNC)) {
      return;
    }
    switch (PublicationPlanner.syncing(seen)) {
      case SyncChange.None() -> {}
      case SyncChange.Start(var resource, var schema) -> syncing.ensure(resource, schema);
      case SyncChange.Stop() -> syncing.stop(seen.resource().name());
    }
  }

  private PublicationSnapshot read(KubeObject resource, ExportLookup found) {
    Publication publication = compiler.compile(resource);
    Publishing publishing =
        publication instanceof Publication.Ready(var published, var _)
            ? published.schemaRules().publishing().orElse(settings.publishing())
            : settings.publishing();
    ExportLookup export =
        publishing == Publishing.EXTERNAL && found instanceof ExportLookup.Found(var object)
            ? new ExportLookup.External(object)
            : found;
    return new PublicationSnapshot(
        resource,
        publication,
        new PublicationSnapshot.Agent(
            settings.agentName(),
            settings.exportAnnotations(),
            disabled(PublishSettings.Part.APIRESOURCESCHEMA)
                ? StatusFields.NONE
                : StatusFields.of(crds.find("", StatusFields.CRD))),
        export,
        wanted(publication, export),
        listed(resource, publication, export),
        nameConflict(resource, publication),
        state(resource.name()),
        clock.instant());
  }

  private Optional<KubeObject> wanted(Publication publication, ExportLookup export) {
    if (!(publication instanceof Publication.Ready(var _, var schema))
        || !(export instanceof ExportLookup.Found)) {
      return Optional.empty();
    }
    return source.workspace().orElseThrow().schema(schema.schemaName());
  }

  private ListedSchema listed(KubeObject resource, Publication publication, ExportLookup export) {
    if (!(publication instanceof Publication.Ready(var _, var schema))) {
      return new ListedSchema.None();
    }
    String last = resource.text("status", "resourceSchemaName");
    Optional<String> name =
        switch (export) {
          case ExportLookup.Found found -> found.predecessorOf(schema, last);
          case ExportLookup.External external -> external.exported(schema, last);
          case ExportLookup.Unknown _, ExportLookup.Unreadable _ -> Optional.empty();
        };
    if (name.isEmpty()) {
      return new ListedSchema.None();
    }
    return source
        .workspace()
        .orElseThrow()
        .client()
        .find(ProjectedSchema.TYPE, "", name.get())
        .<ListedSchema>map(ListedSchema.Found::new)
        .orElseGet(() -> new ListedSchema.Gone(name.get()));
  }

  private Optional<NameConflict> nameConflict(KubeObject resource, Publication publication) {
    if (!(publication instanceof Publication.Ready(var wanted, var schema))) {
      return Optional.empty();
    }
    List<KubeObject> older =
        published.all().stream()
            .filter(other -> !other.deleting() && BY_AGE.compare(other, resource) < 0)
            .sorted(BY_AGE)
            .toList();
    for (KubeObject other : older) {
      if (givesSameType(other, schema)) {
        return Optional.of(new NameConflict.SameType(other.name()));
      }
      if (NameConflict.isSameKind(other, wanted)) {
        return Optional.of(new NameConflict.SameKind(other.name()));
      }
    }
    return Optional.empty();
  }

  /** Not where the other one's type cannot be read: that is its own failure. */
  private boolean givesSameType(KubeObject other, ProjectedSchema schema) {
    return !compiler.isUnreadable(other.name())
        && compiler.compile(other) instanceof Publication.Ready(var _, var otherSchema)
        && NameConflict.isSameType(otherSchema, schema);
  }
}
