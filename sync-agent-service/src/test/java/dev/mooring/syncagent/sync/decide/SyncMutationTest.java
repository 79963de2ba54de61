package dev.mooring.syncagent.sync.decide;

import static dev.mooring.syncagent.sync.decide.Fixture.copy;
import static dev.mooring.syncagent.sync.decide.Fixture.copyName;
import static dev.mooring.syncagent.sync.decide.Fixture.deleting;
import static dev.mooring.syncagent.sync.decide.Fixture.found;
import static dev.mooring.syncagent.sync.decide.Fixture.held;
import static dev.mooring.syncagent.sync.decide.Fixture.rules;
import static dev.mooring.syncagent.sync.decide.Fixture.seen;
import static dev.mooring.syncagent.sync.decide.Fixture.source;
import static dev.mooring.syncagent.sync.decide.Fixture.stranger;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.content.decide.CopyNamespace;
import dev.mooring.syncagent.content.decide.LastSynced;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.DeletionPropagation;
import dev.mooring.syncagent.published.PublishedResource.Synchronization;
import dev.mooring.syncagent.published.mutation.Mutations;
import dev.mooring.syncagent.sync.decide.SyncPlan.Act;
import dev.mooring.syncagent.sync.decide.SyncPlan.InSync;
import dev.mooring.syncagent.sync.decide.SyncPlan.Refuse;
import dev.mooring.syncagent.sync.decide.SyncPlan.Why;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What rules of the owner change on the way down and up. */
class SyncMutationTest {
  private static final SyncRules RULES =
      mutating(
          """
          {"spec": [{"cel": {"path": "spec.size", "expression": "self.spec.size * 2"}},
                    {"template": {"path": "spec.owner",
                      "template": "{{ .LocalObject.metadata.name }}/{{ .RemoteObject.metadata.name }}"}}],
           "status": [{"delete": {"path": "status.secret"}},
                      {"template": {"path": "status.seen",
                        "template": "{{ .LocalObject.metadata.name }}/{{ .RemoteObject.metadata.name }}"}}]}
          """);

  private static SyncRules mutating(String mutation) {
    return rules(
        Adoption.UNCLAIMED,
        Synchronization.ON,
        Mutations.read(KubeJson.read(mutation), "spec.mutation"));
  }

  private static SyncPlan plan(SyncRules rules, KubeObject source, CopyLookup copy) {
    return SyncPlanner.plan(seen(rules, source, copy, CopyNamespace.PRESENT));
  }

  private static SyncAction.CreateCopy created() {
    return (SyncAction.CreateCopy)
        ((Act) plan(RULES, held(source()), new CopyLookup.Missing())).action();
  }

  /** The copy as the agent made it, and what it knows of the source. */
  private static CopyLookup.Found converged(KubeObject copy) {
    return new CopyLookup.Found(copy, new LastSynced.Known(created().lastKnown()));
  }

  private static KubeObject mutatedCopy() {
    return copy().with(6L, "spec", "size").with(copyName() + "/web", "spec", "owner");
  }

  @Test
  void makesACopyOfTheChangedContentWithItsNameKnownToTheRules() {
    assertThat(created().desired().at("spec", "size")).isEqualTo(6L);
    assertThat(created().desired().at("spec", "owner")).isEqualTo(copyName() + "/web");
  }

  @Test
  void leavesAConvergedPairAlone() {
    KubeObject source = held(source()).with(Map.of("seen", copyName() + "/web"), "status");

    assertThat(plan(RULES, source, converged(mutatedCopy()))).isEqualTo(new InSync());
  }

  @Test
  void bringsDownWhatAChangedSourceMeans() {
    KubeObject source = held(source()).with(5L, "spec", "size");

    Act act = (Act) plan(RULES, source, converged(mutatedCopy()));

    assertThat(((SyncAction.PatchCopy) act.action()).patch())
        .isEqualTo(Map.of("spec", Map.of("size", 10L)));
  }

  @Test
  void bringsTheChangedStatusUp() {
    KubeObject copy = mutatedCopy().with(Map.of("phase", "Ready", "secret", "local"), "status");
    Map<String, Object> expected = Map.of("phase", "Ready", "seen", copyName() + "/web");

    Act act = (Act) plan(RULES, held(source()), converged(copy));
    SyncPlan after = plan(RULES, held(source()).with(expected, "status"), converged(copy));

    assertThat(((SyncAction.PatchSourceStatus) act.action()).desired().at("status"))
        .isEqualTo(expected);
    assertThat(after).isEqualTo(new InSync());
  }

  @Test
  void recordsTheChangedContentOfAnAdoptedCopy() {
    Act act = (Act) plan(RULES, held(source()), new CopyLookup.NameTaken(stranger()));

    assertThat(Trees.at(((SyncAction.AdoptCopy) act.action()).lastKnown(), "spec", "size"))
        .isEqualTo(6L);
  }

  @Test
  void refusesAnObjectThatARuleDoesNotFitAndNamesTheRule() {
    SyncRules failing =
        mutating(
            "{\"spec\": [{\"cel\": {\"path\": \"spec.size\", \"expression\": \"self.spec.none\"}}]}");

    assertThat(plan(failing, held(source()), found(copy())))
        .isEqualTo(
            new Refuse(
                Why.MUTATION_FAILED,
                "This object cannot be passed on: spec.mutation.spec[0] (cel at \"spec.size\"):"
                    + " no such field: none"));
    assertThat(plan(failing, held(source()), new CopyLookup.Missing())).isInstanceOf(Refuse.class);
  }

  @Test
  void deletesThoughARuleDoesNotFit() {
    SyncRules failing =
        mutating(
            "{\"spec\": [{\"cel\": {\"path\": \"spec.size\", \"expression\": \"self.spec.none\"}}]}");

    assertThat(plan(failing, deleting(held(source())), found(copy())))
        .isEqualTo(new Act(new SyncAction.DeleteCopy(copy(), DeletionPropagation.BACKGROUND)));
  }
}
