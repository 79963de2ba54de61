package dev.mooring.cli.render;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.FieldError;
import dev.mooring.sandbox.schema.CompiledSchema;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.sync.decide.CopyLookup;
import dev.mooring.syncagent.sync.decide.CopyName;
import dev.mooring.syncagent.sync.decide.SyncAction;
import dev.mooring.syncagent.sync.decide.SyncPlan;
import dev.mooring.syncagent.sync.decide.SyncPlanner;
import dev.mooring.syncagent.sync.decide.SyncRules;
import dev.mooring.syncagent.sync.decide.SyncSnapshot;
import dev.mooring.syncagent.sync.decide.SyncSnapshot.SourceNamespace;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The copy that the agent creates for a consumer's object, as the agent's planner decides it.
 *
 * @param cluster of the consumer's workspace
 * @param path of that workspace, for templates that name it
 */
record CopyRendering(String agentName, LogicalCluster cluster, Optional<String> path) {
  private static final Map<String, Object> CREATED =
      Map.of(
          "uid", "0b6aa5d5-6c0c-4a4f-9d0a-3f8f2f8c5e1d",
          "resourceVersion", "1",
          "generation", 1L,
          "creationTimestamp", "2026-01-01T00:00:00Z");

  /** A copy, or why there is none. */
  sealed interface Result {
    record Copy(KubeObject object) implements Result {}

    record None(String why) implements Result {}
  }

  /** Whether the object is of the published type, in any of the versions that consumers see. */
  static boolean fits(Publication.Ready ready, KubeObject sample) {
    return sample.kind().equals(ready.schema().inKcp().kind())
        && ready.schema().versions().keySet().stream()
            .map(version -> ready.schema().inKcp().resource().group() + "/" + version)
            .anyMatch(sample.apiVersion()::equals);
  }

  /** Without the namespace filter, which reads labels of another object. */
  Result copyOf(KubeObject sample, Publication.Ready ready) {
    KubeObject stored =
        created(sample).with(ready.schema().inKcp().resource().apiVersion(), "apiVersion");
    CompiledSchema schema = schema(ready);
    KubeObject defaulted = schema.applyDefaults(schema.prune(stored).object());
    List<FieldError> errors = schema.validate(defaulted);
    return errors.isEmpty()
        ? planned(defaulted.withFinalizers(List.of(SyncMarks.FINALIZER)).without("status"), ready)
        : new Result.None("consumers cannot create it: " + errors.getFirst());
  }

  /** With examples of what kcp adds, which rules may read. */
  private KubeObject created(KubeObject sample) {
    var metadata = new LinkedHashMap<String, Object>(CREATED);
    metadata.putAll(sample.map("metadata"));
    return sample
        .with(metadata, "metadata")
        .with(cluster.name(), "metadata", "annotations", LogicalCluster.ANNOTATION);
  }

  private static CompiledSchema schema(Publication.Ready ready) {
    String version = ready.schema().inKcp().resource().version();
    return Trees.list(ready.schema().spec(), "versions").stream()
        .filter(each -> version.equals(Trees.at(each, "name")))
        .map(each -> CompiledSchema.of(Trees.map(each, "schema")))
        .findFirst()
        .orElseThrow();
  }

  private Result planned(KubeObject source, Publication.Ready ready) {
    SyncRules rules = SyncRules.of(agentName, ready.published(), ready.schema(), Adoption.MARKED);
    CopyName place = CopyName.of(rules, source, cluster, path);
    SyncPlan plan =
        SyncPlanner.plan(
            new SyncSnapshot(
                rules,
                new ObjectKey(cluster, source.namespace(), source.name()),
                Optional.of(source),
                new SourceNamespace.NotAsked(),
                new CopyLookup.Missing(),
                Optional.of(place),
                CopyNamespace.PRESENT,
                Optional.empty(),
                path));
    return switch (plan) {
      case SyncPlan.Act(SyncAction.CreateCopy(var desired, var _, var _)) ->
          new Result.Copy(desired);
      case SyncPlan.Refuse(var why, var message) -> new Result.None(why.text() + ": " + message);
      case SyncPlan.Skip(var why) -> new Result.None(why.text());
      case SyncPlan.Await(var why) -> new Result.None(why.text());
      case SyncPlan.Act _, SyncPlan.InSync _, SyncPlan.Drifted _ ->
          new Result.None("the agent writes no copy");
    };
  }
}
