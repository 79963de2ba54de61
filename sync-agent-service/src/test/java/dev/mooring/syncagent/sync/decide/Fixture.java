package dev.mooring.syncagent.sync.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.content.decide.LastSynced;
import dev.mooring.syncagent.content.decide.SourceMarks;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.LabelSelector;
import dev.mooring.syncagent.published.Naming;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.published.SyncPolicy;
import dev.mooring.syncagent.published.mutation.Mutations;
import dev.mooring.syncagent.sync.decide.SyncSnapshot.SourceNamespace;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A consumer's thing and its copy, in the states that tests ask for. */
final class Fixture {
  static final ObjectKey KEY = new ObjectKey(new LogicalCluster("c1"), "default", "web");
  static final SourceMarks MARKS = new SourceMarks(KEY, "agent", Optional.empty());

  private Fixture() {}

  static SyncRules rules() {
    return rules(Adoption.UNCLAIMED, Synchronization.ON);
  }

  static SyncRules rules(Adoption adoption, Synchronization synchronization) {
    return rules(adoption, synchronization, Mutations.NONE);
  }

  static SyncRules rules(Adoption adoption, Synchronization synchronization, Mutations mutations) {
    return new SyncRules(
        "agent",
        new ApiType(new ResourceType("corp.io", "v1", "things"), "Thing", Scope.NAMESPACED),
        new ApiType(new ResourceType("local.io", "v1", "things"), "Thing", Scope.NAMESPACED),
        StatusSubresource.PRESENT,
        Naming.DEFAULT,
        mutations,
        LabelSelector.EVERYTHING,
        LabelSelector.EVERYTHING,
        adoption,
        synchronization,
        SyncPolicy.DEFAULT);
  }

  static SyncRules with(SyncPolicy policy) {
    SyncRules rules = rules();
    return new SyncRules(
        rules.agentName(),
        rules.source(),
        rules.copy(),
        rules.status(),
        rules.naming(),
        rules.mutations(),
        rules.resourceFilter(),
        rules.namespaceFilter(),
        rules.adoption(),
        rules.synchronization(),
        policy);
  }

  static SyncRules filtering(
      LabelSelector resources, LabelSelector namespaces, SyncPolicy.OnLeave onLeave) {
    SyncRules rules = rules();
    return new SyncRules(
        rules.agentName(),
        rules.source(),
        rules.copy(),
        rules.status(),
        rules.naming(),
        rules.mutations(),
        resources,
        namespaces,
        rules.adoption(),
        rules.synchronization(),
        new SyncPolicy(SyncPolicy.Drift.KEEP_LOCAL, onLeave, SyncPolicy.EmptyNamespaces.KEEP));
  }

  /** Not held, not deleting. */
  static KubeObject source() {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "corp.io/v1",
            "kind",
            "Thing",
            "metadata",
            Map.of(
                "name", "web",
                "namespace", "default",
                "uid", "source-uid",
                "resourceVersion", "1"),
            "spec",
            Map.of("size", 3, "list", List.of("a"))));
  }

  static KubeObject held(KubeObject source) {
    return source.with(List.of("foreign", SyncMarks.FINALIZER), "metadata", "finalizers");
  }

  static KubeObject deleting(KubeObject object) {
    return object.with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp");
  }

  /** As the agent would have made it of {@link #source()}. */
  static KubeObject copy() {
    KubeObject plain =
        SyncedContent.asObject(
            SyncedContent.of(source()), "local.io/v1", "Thing", "c1", copyName());
    return SyncedContent.marked(plain, MARKS.labels(), MARKS.annotations())
        .with("copy-uid", "metadata", "uid")
        .with("7", "metadata", "resourceVersion");
  }

  /** Something that has the copy's name and no mark of anybody. */
  static KubeObject stranger() {
    return SyncedContent.asObject(
            Map.of("spec", Map.of("size", 99)), "local.io/v1", "Thing", "c1", copyName())
        .with("stranger-uid", "metadata", "uid")
        .with("8", "metadata", "resourceVersion");
  }

  static String copyName() {
    return ((CopyName.At) place()).name();
  }

  static CopyName place() {
    return CopyName.of(rules(), source(), KEY.cluster(), Optional.empty());
  }

  static CopyLookup.Found found(KubeObject copy) {
    return new CopyLookup.Found(copy, new LastSynced.Known(SyncedContent.of(source())));
  }

  static SyncSnapshot seen(KubeObject source, CopyLookup copy) {
    return seen(rules(), source, copy, CopyNamespace.PRESENT);
  }

  static SyncSnapshot seen(
      SyncRules rules, KubeObject source, CopyLookup copy, CopyNamespace namespace) {
    Optional<KubeObject> present = Optional.ofNullable(source);
    return new SyncSnapshot(
        rules,
        KEY,
        present,
        new SourceNamespace.NotAsked(),
        copy,
        present.map(s -> CopyName.of(rules, s, KEY.cluster(), Optional.empty())),
        namespace,
        Optional.empty(),
        Optional.empty());
  }
}
