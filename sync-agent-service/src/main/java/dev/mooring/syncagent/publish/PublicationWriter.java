package dev.mooring.syncagent.publish;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.MergePatch;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.runtime.event.EventRecorder;
import dev.mooring.runtime.queue.ReconcileResult;
import dev.mooring.syncagent.content.decide.ConditionalPatch;
import dev.mooring.syncagent.publish.decide.PublicationPlan;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
          workspace.orElseThrow().client().create(ProjectedSchema.TYPE, schema);
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
      // An APIResourceSchema that exists has the same content: its name is made from that.
      if (e.kind() == Kind.CONFLICT || e.kind() == Kind.ALREADY_EXISTS) {
        return new ReconcileResult.RequeueAfter(OUTDATED_RECHECK);
      }
      throw e;
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
    KubeObject export = update.export();
    workspace
        .client()
        .patch(
            ExportWorkspace.EXPORTS,
            "",
            export.name(),
            ConditionalPatch.on(export, update.patch()));
    PublicationPlan.ExportDiff news = update.news();
    if (!news.schemasAdded().isEmpty()) {
      String message = "Added resource schemas %s.".formatted(joined(news.schemasAdded()));
      recorder.record(
          workspace.client(), EventNote.normal(export, "AddingResourceSchemas", message));
    }
    if (!news.schemasRemoved().isEmpty()) {
      String message =
          "Removed resource schemas %s, others take their place."
              .formatted(joined(news.schemasRemoved()));
      recorder.record(
          workspace.client(), EventNote.warning(export, "RemovingResourceSchemas", message));
    }
    if (!news.claimsAdded().isEmpty()) {
      String message =
          "Added permission claims on %s; consumers have to accept them in their APIBinding."
              .formatted(joined(news.claimsAdded()));
      recorder.record(
          workspace.client(), EventNote.normal(export, "AddingPermissionClaims", message));
    }
    LOG.info(
        "Updated APIExport {}: schemas added {}, removed {}, claims added {}",
        export.name(),
        news.schemasAdded(),
        news.schemasRemoved(),
        news.claimsAdded());
  }

  /** Records why the PublishedResource cannot be published as it is. */
  void warn(KubeObject resource, String problem) {
    recorder.record(service, EventNote.warning(resource, "ReconcilingError", problem));
  }

  private static String joined(List<String> names) {
    return String.join(", ", names);
  }

  private void reportStatus(PublicationPlan.ReportStatus report) {
    service.patchStatus(
        PublishedResource.TYPE,
        "",
        report.resource().name(),
        ConditionalPatch.on(
            report.resource(),
            Map.of("status", MergePatch.diff(report.resource().map("status"), report.status()))));
  }
}
