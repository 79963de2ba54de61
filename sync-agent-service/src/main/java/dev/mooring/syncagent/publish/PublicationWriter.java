package dev.mooring.syncagent.publish;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.queue.ReconcileResult;
import dev.mooring.syncagent.publish.decide.PublicationPlan;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries out publication plans: one write each, with its precondition. */
record PublicationWriter(KubeClient service, EventRecorder recorder) {
  private static final Logger LOG = LoggerFactory.getLogger(PublicationWriter.class);

  /** The event of the faster write usually comes first; this is for when it came before. */
  private static final Duration OUTDATED_RECHECK = Duration.ofMillis(200);

  ReconcileResult execute(PublicationPlan plan, Optional<ExportWorkspace> workspace) {
    try {
      return switch (plan) {
        case PublicationPlan.Settled() -> new ReconcileResult.Done();
        case PublicationPlan.CreateSchema(var schema) -> {
          createSchema(schema, workspace.orElseThrow());
          LOG.info("Created APIResourceSchema {}", schema.name());
          // The next pass need not wait for the watch.
          yield new ReconcileResult.RequeueAfter(Duration.ZERO);
        }
        case PublicationPlan.MarkSchema(var schema, var patch) -> {
          workspace.orElseThrow().client().patch(ProjectedSchema.TYPE, "", schema.name(), patch);
          yield new ReconcileResult.RequeueAfter(Duration.ZERO);
        }
        case PublicationPlan.UpdateExport update -> {
          updateExport(update, workspace.orElseThrow());
          yield new ReconcileResult.Done();
        }
        case PublicationPlan.ReportStatus report -> {
          reportStatus(report);
          yield new ReconcileResult.Done();
        }
      };
    } catch (KubeFailure e) {
      if (e.kind() == Kind.CONFLICT) {
        return new ReconcileResult.RequeueAfter(OUTDATED_RECHECK);
      }
      throw e;
    }
  }

  private static void createSchema(KubeObject schema, ExportWorkspace workspace) {
    try {
      workspace.client().create(ProjectedSchema.TYPE, schema);
    } catch (KubeFailure e) {
      if (e.kind() != Kind.ALREADY_EXISTS) {
        throw e;
      }
    }
  }

  /** Deletes these schemas; one that is gone already is fine. */
  void deleteSchemas(List<KubeObject> schemas, ExportWorkspace workspace) {
    for (KubeObject schema : schemas) {
      try {
        workspace
            .client()
            .delete(
                ProjectedSchema.TYPE,
                "",
                schema.name(),
                new DeleteCondition.SameObject(schema.uid()));
        LOG.info("Deleted outdated APIResourceSchema {}", schema.name());
      } catch (KubeFailure e) {
        if (e.kind() != Kind.NOT_FOUND) {
          throw e;
        }
      }
    }
  }

  private void updateExport(PublicationPlan.UpdateExport update, ExportWorkspace workspace) {
    var patch = new LinkedHashMap<>(update.patch());
    var metadata = new LinkedHashMap<>(Trees.map(patch, "metadata"));
    metadata.put("resourceVersion", update.export().resourceVersion());
    patch.put("metadata", metadata);
    workspace.client().patch(ExportWorkspace.EXPORTS, "", update.export().name(), patch);
    PublicationPlan.ExportDiff news = update.news();
    record(
        workspace,
        news.schemasAdded(),
        names ->
            EventNote.normal(
                update.export(), "AddingResourceSchemas", "Added resource schemas " + names + "."));
    record(
        workspace,
        news.schemasRemoved(),
        names ->
            EventNote.warning(
                update.export(),
                "RemovingResourceSchemas",
                "Removed resource schemas " + names + ", others take their place."));
    record(
        workspace,
        news.claimsAdded(),
        names ->
            EventNote.normal(
                update.export(),
                "AddingPermissionClaims",
                "Added permission claims on "
                    + names
                    + "; consumers have to accept them in their APIBinding."));
    LOG.info(
        "Updated APIExport {}: schemas added {}, removed {}, claims added {}",
        update.export().name(),
        news.schemasAdded(),
        news.schemasRemoved(),
        news.claimsAdded());
  }

  private void record(
      ExportWorkspace workspace, List<String> names, Function<String, EventNote> note) {
    if (!names.isEmpty()) {
      recorder.record(workspace.client(), note.apply(String.join(", ", names)));
    }
  }

  private void reportStatus(PublicationPlan.ReportStatus report) {
    service.patchStatus(
        PublishedResource.TYPE,
        "",
        report.resource().name(),
        Map.of(
            "metadata", Map.of("resourceVersion", report.resource().resourceVersion()),
            "status", MergePatch.diff(report.resource().map("status"), report.status())));
  }
}
