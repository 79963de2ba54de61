package dev.mooring.syncagent.publish;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.ProjectedSchema;
import dev.mooring.model.published.PublishedResource;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.queue.Next;
import dev.mooring.runtime.queue.Worker;
import dev.mooring.syncagent.fleet.ServiceObjects;
import dev.mooring.syncagent.publish.decide.ExportSighting;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.publish.decide.PublicationPlan;
import dev.mooring.syncagent.publish.decide.PublicationPlanner;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot;
import dev.mooring.syncagent.publish.decide.PublicationSnapshot.SchemaPresence;
import dev.mooring.syncagent.publish.decide.SyncState;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One pass over one PublishedResource: snapshot, plan, one write; starts and stops syncing as the
 * plan's ground changes. Each PublishedResource fails alone. Thread-safe.
 */
public final class PublicationReconciler implements Worker<String> {
  public static final ResourceType CRDS =
      new ResourceType("apiextensions.k8s.io", "v1", "customresourcedefinitions");

  /** Index of CRDs by {@link #groupKind}. */
  public static final String BY_GROUP_KIND = "group-kind";

  private static final Duration CACHES_RECHECK = Duration.ofSeconds(1);

  private static final Comparator<KubeObject> BY_AGE =
      Comparator.comparing((KubeObject object) -> object.text("metadata", "creationTimestamp"))
          .thenComparing(KubeObject::name);

  private final PublishSettings settings;
  private final ServiceObjects published;
  private final ServiceObjects crds;
  private final ExportSource source;
  private final SyncControl syncing;
  private final PublicationWriter writer;
  private final InstantSource clock;

  /** Templates and schemas are compiled once for each version of their objects. */
  private final ConcurrentHashMap<String, Compiled> compiled = new ConcurrentHashMap<>();

  private record Compiled(String resourceVersion, String crdVersion, Publication publication) {}

  public PublicationReconciler(
      PublishSettings settings,
      ServiceObjects published,
      ServiceObjects crds,
      ExportSource source,
      SyncControl syncing,
      KubeClient service,
      EventRecorder recorder,
      InstantSource clock) {
    this.settings = settings;
    this.published = published;
    this.crds = crds;
    this.source = source;
    this.syncing = syncing;
    this.writer = new PublicationWriter(service, recorder);
    this.clock = clock;
  }

  /** Under which a CRD is found for a PublishedResource. */
  public static String groupKind(String group, String kind) {
    return kind + "." + group;
  }

  @Override
  public Next work(String name) {
    if (!published.isSynced() || !crds.isSynced() || !source.isKnown()) {
      return new Next.After(CACHES_RECHECK);
    }
    Optional<KubeObject> resource = published.find("", name);
    if (resource.isEmpty() || resource.get().deleting()) {
      compiled.remove(name);
      syncing.stop(name);
      return new Next.OnEvent();
    }
    PublicationSnapshot seen = read(resource.get());
    PublicationPlan plan = PublicationPlanner.plan(seen);
    control(seen, plan);
    // Whether it is syncing is part of the status: decided anew after it was started or stopped.
    PublicationPlan afterwards =
        plan instanceof PublicationPlan.ReportStatus || plan instanceof PublicationPlan.Settled
            ? PublicationPlanner.plan(read(resource.get()))
            : plan;
    if (leftToOthers(afterwards)) {
      return new Next.OnEvent();
    }
    Next next = writer.execute(afterwards, source.workspace());
    return next instanceof Next.OnEvent && cachesFill(name) ? new Next.After(CACHES_RECHECK) : next;
  }

  private boolean leftToOthers(PublicationPlan plan) {
    return switch (plan) {
      case PublicationPlan.CreateSchema _, PublicationPlan.ReportStatus _ ->
          settings.disabled().contains(PublishSettings.Part.APIRESOURCESCHEMA);
      case PublicationPlan.UpdateExport _ ->
          settings.disabled().contains(PublishSettings.Part.APIEXPORT);
      case PublicationPlan.Settled _ -> false;
    };
  }

  /** Whether the status is to say soon that objects are kept in step. */
  private boolean cachesFill(String name) {
    return switch (syncing.state(name)) {
      case SyncState.Listing() -> true;
      case SyncState.Waiting(var reason, var _) -> reason.equals(SyncState.CACHES_FILLING);
      case SyncState.Off(), SyncState.Running() -> false;
    };
  }

  private void control(PublicationSnapshot seen, PublicationPlan plan) {
    boolean published =
        plan instanceof PublicationPlan.ReportStatus || plan instanceof PublicationPlan.Settled;
    switch (seen.publication()) {
      case Publication.Ready(var resource, var schema)
          when seen.rival().isEmpty()
              && resource.synchronization() != PublishedResource.Synchronization.OFF -> {
        if (published && seen.export() instanceof ExportSighting.Found) {
          syncing.ensure(resource, schema);
        }
      }
      case Publication.Ready _, Publication.Rejected _ -> syncing.stop(seen.resource().name());
    }
  }

  private PublicationSnapshot read(KubeObject resource) {
    Publication publication = publication(resource);
    ExportSighting export = export();
    return new PublicationSnapshot(
        resource,
        publication,
        settings.agentName(),
        export,
        schema(publication, export),
        rival(resource, publication),
        syncing.state(resource.name()),
        clock.instant());
  }

  private ExportSighting export() {
    Optional<ExportWorkspace> known = source.workspace();
    if (known.isEmpty()) {
      return new ExportSighting.Unknown(
          "EndpointSliceNotFound",
          "APIExportEndpointSlice "
              + settings.endpointSlice()
              + " was not seen in the workspace of the agent's kcp kubeconfig yet.");
    }
    if (!known.get().isSynced()) {
      return new ExportSighting.Unknown(
          "ExportNotReadable",
          "APIExport "
              + known.get().exportName()
              + " cannot be read yet"
              + known.get().lastFailure().map(e -> ": " + e.getMessage()).orElse("."));
    }
    return known
        .get()
        .export()
        .<ExportSighting>map(ExportSighting.Found::new)
        .orElseGet(() ->
            new ExportSighting.Unknown(
                "ExportNotFound",
                "There is no APIExport " + known.get().exportName() + "; create it."));
  }

  /** Asks only where the export does not prove it. */
  private SchemaPresence schema(Publication publication, ExportSighting export) {
    if (!(publication instanceof Publication.Ready(var _, var schema))
        || !(export instanceof ExportSighting.Found found)) {
      return SchemaPresence.ABSENT;
    }
    return found.lists(schema.schemaName())
            || source
                .workspace()
                .orElseThrow()
                .client()
                .find(ProjectedSchema.TYPE, "", schema.schemaName())
                .isPresent()
        ? SchemaPresence.PRESENT
        : SchemaPresence.ABSENT;
  }

  private Optional<String> rival(KubeObject resource, Publication publication) {
    if (!(publication instanceof Publication.Ready(var _, var schema))) {
      return Optional.empty();
    }
    return published.all().stream()
        .filter(other -> !other.deleting() && BY_AGE.compare(other, resource) < 0)
        .filter(other -> givesSameType(other, schema))
        .map(KubeObject::name)
        .findFirst();
  }

  private boolean givesSameType(KubeObject other, ProjectedSchema schema) {
    return publication(other) instanceof Publication.Ready(var _, var otherSchema)
        && otherSchema.inKcp().resource().qualified().equals(schema.inKcp().resource().qualified());
  }

  private Publication publication(KubeObject resource) {
    Optional<KubeObject> crd =
        crds
            .indexed(
                BY_GROUP_KIND,
                groupKind(
                    resource.text("spec", "resource", "apiGroup"),
                    resource.text("spec", "resource", "kind")))
            .stream()
            .filter(candidate -> !candidate.deleting())
            .findFirst();
    String crdVersion = crd.map(KubeObject::resourceVersion).orElse("");
    return compiled
        .compute(
            resource.name(),
            (_, known) ->
                known != null
                        && known.resourceVersion().equals(resource.resourceVersion())
                        && known.crdVersion().equals(crdVersion)
                    ? known
                    : new Compiled(
                        resource.resourceVersion(),
                        crdVersion,
                        Publication.of(resource, crd, settings.defaultGroup())))
        .publication();
  }
}
