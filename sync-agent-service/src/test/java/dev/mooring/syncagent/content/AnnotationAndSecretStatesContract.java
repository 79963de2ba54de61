package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.GoAgentState;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnnotationAndSecretStatesContract extends LastKnownStatesContract {
  @Override
  LastKnownStates states() {
    return withAnnotations();
  }

  @Override
  void damage() {
    service.patch(
        THINGS,
        "copies",
        "web",
        Map.of("metadata", Map.of("annotations", Map.of(SyncMarks.LAST_KNOWN_STATE, "gzip:%%"))));
  }

  @Test
  void keepsSmallStatesInAnAnnotationAndLargeOnesInASecret() {
    KubeObject copy = states.create(KEY, thing("web"), size(1));
    assertThat(server.all(SECRETS)).isEmpty();

    copy = states.patch(KEY, copy, Map.of(), noise(300_000));
    assertThat(copy.annotations()).doesNotContainKey(SyncMarks.LAST_KNOWN_STATE);
    assertThat(server.all(SECRETS)).hasSize(1);
    assertThat(states.find(KEY, copy)).contains(noise(300_000));

    copy = states.patch(KEY, copy, Map.of(), size(2));
    assertThat(copy.annotations()).containsKey(SyncMarks.LAST_KNOWN_STATE);
    assertThat(server.all(SECRETS)).isEmpty();
    assertThat(states.find(KEY, copy)).contains(size(2));
  }

  @Test
  void letsTheAnnotationWinIfBothHaveOne() {
    apart("agent").create(KEY, thing("web"), size(1));
    KubeObject copy =
        new AnnotationStateStore(service, THINGS).patch(stored("web"), Map.of(), size(2));
    secrets.cache().relist();

    assertThat(states.find(KEY, copy)).contains(size(2));
  }

  @Test
  void neverPutsAStateIntoAnAnnotationWhereItMayNot() {
    var apart = apart("agent");

    KubeObject copy = apart.create(KEY, thing("web"), size(1));
    copy = apart.patch(KEY, copy, Map.of("spec", Map.of("a", 2L)), size(2));

    assertThat(copy.annotations()).isEmpty();
    assertThat(apart.find(KEY, copy)).contains(size(2));
  }

  @Test
  void asksForAStateThatIsNotShownYet() {
    var apart = apart("agent");
    KubeObject copy = apart.create(KEY, thing("web"), size(1));

    var late = apart("agent");

    assertThat(late.find(KEY, copy)).contains(size(1));
  }

  @Test
  void goesOnFromAnEarlierAgentsStateUntilItHasItsOwn() {
    KubeObject source =
        KubeObject.of(size(5))
            .with(KEY.apiVersion(), "apiVersion")
            .with(KEY.kind(), "kind")
            .with("default", "metadata", "namespace")
            .with("web", "metadata", "name");
    service.create(
        SECRETS,
        KubeObject.of(SECRETS, "Secret", STATES, GoAgentState.secretName(KEY))
            .with("true", "metadata", "labels", SyncMarks.OBJECT_STATE)
            .with(
                Base64.getEncoder().encodeToString(KubeJson.write(source)),
                "data",
                GoAgentState.entryName(KEY.source())));
    secrets.cache().relist();
    KubeObject copy = service.create(THINGS, thing("web"));
    assertThat(states.find(KEY, copy)).contains(size(5));

    copy = states.patch(KEY, copy, Map.of(), size(6));

    assertThat(states.find(KEY, copy)).contains(size(6));
  }
}
