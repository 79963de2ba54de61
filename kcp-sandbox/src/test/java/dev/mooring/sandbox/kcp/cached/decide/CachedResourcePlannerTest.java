package dev.mooring.sandbox.kcp.cached.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner.Copy;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner.CopyStep;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner.Counts;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner.Selection;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner.ServedType;
import dev.mooring.sandbox.kcp.cached.decide.CachedResourcePlanner.Step;
import dev.mooring.sandbox.kcp.export.decide.ExportPlanner.Identity;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CachedResourcePlannerTest {
  private static final String NOW = "2026-11-26T17:00:00Z";
  private static final Identity KNOWN = new Identity.Known("abc");
  private static final ServedType TYPE =
      new ServedType(new ResourceType("ex.io", "v1", "things"), "Thing", "Cluster");

  private static final KubeObject FRESH =
      KubeJson.readObject(
          """
          {"apiVersion": "cache.kcp.io/v1alpha1", "kind": "CachedResource",
           "metadata": {"name": "cached"},
           "spec": {"group": "ex.io", "version": "v1", "resource": "things"}}
          """);

  private static Step next(KubeObject cached, Identity identity) {
    return CachedResourcePlanner.next(cached, Optional.of(TYPE), identity, NOW);
  }

  private static KubeObject written(KubeObject cached, Identity identity) {
    return ((Step.Update) next(cached, identity)).cached();
  }

  /** With all that is written before objects are copied. */
  private static KubeObject identified() {
    KubeObject cached = FRESH;
    while (next(cached, KNOWN) instanceof Step.Update(KubeObject after)) {
      cached = after;
    }
    return cached;
  }

  private static List<String> conditions(KubeObject cached) {
    return cached.list("status", "conditions").stream()
        .map(it ->
            Trees.text(it, "type")
                + "="
                + Trees.text(it, "status")
                + Trees.textOrEmpty(Trees.at(it, "reason")))
        .toList();
  }

  @Test
  void getsItsFinalizerKindAndIdentityBeforeObjectsAreCopied() {
    KubeObject kept = written(FRESH, new Identity.NoSecret());
    KubeObject described = written(kept, new Identity.NoSecret());

    assertThat(kept.finalizers()).containsExactly("cache.kcp.io/cachedresource");
    assertThat(described.annotations())
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "cache.kcp.io/resource-kind", "Thing", "cache.kcp.io/resource-scope", "Cluster"));
    assertThat(next(described, new Identity.NoSecret())).isEqualTo(new Step.MakeSecret());
    assertThat(next(identified(), KNOWN)).isEqualTo(new Step.Replicate());
    assertThat(identified().map("status"))
        .containsEntry("identityHash", "abc")
        .containsEntry("phase", "Initializing");
  }

  @Test
  void copiesNothingWithoutItsIdentity() {
    KubeObject mismatched = written(identified(), new Identity.Known("other"));

    assertThat(conditions(mismatched))
        .containsExactly("IdentityValid=FalseIdentityVerificationFailed");
    assertThat(next(mismatched, new Identity.Known("other"))).isEqualTo(new Step.Await());
  }

  @Test
  void waitsForItsTypeAndRefusesOneWithNamespaces() {
    KubeObject kept = FRESH.withFinalizer("cache.kcp.io/cachedresource");
    var namespaced = new ServedType(TYPE.type(), "Thing", "Namespaced");

    assertThat(CachedResourcePlanner.next(kept, Optional.empty(), KNOWN, NOW))
        .isEqualTo(new Step.AwaitType());
    KubeObject refused =
        ((Step.Update) CachedResourcePlanner.next(kept, Optional.of(namespaced), KNOWN, NOW))
            .cached();

    assertThat(conditions(refused)).containsExactly("ResourceValid=FalseResourceNotClusterScoped");
    assertThat(refused.text("status", "phase")).isEqualTo("Initializing");
    assertThat(CachedResourcePlanner.next(refused, Optional.of(namespaced), KNOWN, NOW))
        .isEqualTo(new Step.Await());
  }

  @Test
  void isReadyOnceItsObjectsAreCopied() {
    KubeObject ready = CachedResourcePlanner.replicated(identified(), new Counts(2, 1), NOW);

    assertThat(conditions(ready))
        .containsExactly("IdentityValid=True", "ReplicationStarted=True", "ResourceValid=True");
    assertThat(ready.text("status", "phase")).isEqualTo("Ready");
    assertThat(ready.map("status", "resourceCounts")).isEqualTo(Map.of("cache", 1L, "local", 2L));
    assertThat(CachedResourcePlanner.replicated(ready, new Counts(2, 1), NOW)).isEqualTo(ready);
  }

  @Test
  void goesOnceItsCopiesAreGoneWhateverItsTypeIs() {
    KubeObject deleted = identified().with(NOW, "metadata", "deletionTimestamp");
    KubeObject deleting =
        ((Step.Update) CachedResourcePlanner.next(deleted, Optional.empty(), KNOWN, NOW)).cached();

    assertThat(conditions(deleting)).contains("ResourceValid=FalseDeleting");
    assertThat(next(deleting, KNOWN)).isEqualTo(new Step.Purge());
    KubeObject released = written(CachedResourcePlanner.purged(deleting, NOW), KNOWN);

    assertThat(released.finalizers()).isEmpty();
    assertThat(next(released, KNOWN)).isEqualTo(new Step.Await());
  }

  private static KubeObject object(String json) {
    return KubeJson.readObject("{\"metadata\": {\"resourceVersion\": \"7\"" + json + "}}");
  }

  @Test
  void writesACopyOfWhatHasChanged() {
    KubeObject object = object("");

    assertThat(CachedResourcePlanner.copy(object, Selection.SELECTED, new Copy.Missing()))
        .isEqualTo(CopyStep.WRITE);
    assertThat(CachedResourcePlanner.copy(object, Selection.SELECTED, new Copy.Of("6")))
        .isEqualTo(CopyStep.WRITE);
    assertThat(CachedResourcePlanner.copy(object, Selection.SELECTED, new Copy.Of("7")))
        .isEqualTo(CopyStep.KEEP);
    assertThat(CachedResourcePlanner.copy(object, Selection.LEFT_OUT, new Copy.Of("6")))
        .isEqualTo(CopyStep.KEEP);
  }

  @Test
  void keepsTheCopyOfATerminatingObjectWhileItsFinalizersHold() {
    KubeObject held = object(", \"deletionTimestamp\": \"x\", \"finalizers\": [\"a/b\"]");
    KubeObject free = object(", \"deletionTimestamp\": \"x\"");

    assertThat(CachedResourcePlanner.copy(held, Selection.SELECTED, new Copy.Of("6")))
        .isEqualTo(CopyStep.KEEP);
    assertThat(CachedResourcePlanner.copy(held, Selection.SELECTED, new Copy.Missing()))
        .isEqualTo(CopyStep.KEEP);
    assertThat(CachedResourcePlanner.copy(free, Selection.SELECTED, new Copy.Of("6")))
        .isEqualTo(CopyStep.DELETE);
  }

  @Test
  void selectsByLabelsThatMatch() {
    KubeObject cached =
        FRESH.with(
            Map.of("matchLabels", Map.of("a", "b"), "matchExpressions", List.of()),
            "spec",
            "labelSelector");
    Map<String, Object> wanted = CachedResourcePlanner.matchLabels(cached);

    assertThat(CachedResourcePlanner.matchLabels(FRESH)).isEmpty();
    assertThat(Selection.of(Map.of(), Map.of())).isEqualTo(Selection.SELECTED);
    assertThat(Selection.of(wanted, Map.of("a", "b", "c", "d"))).isEqualTo(Selection.SELECTED);
    assertThat(Selection.of(wanted, Map.of("a", "c"))).isEqualTo(Selection.LEFT_OUT);
  }
}
