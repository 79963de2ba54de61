package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FallbackStateStoreContract extends LastKnownStatesContract {
  @Override
  LastKnownStates states() {
    return new FallbackStateStore(
        Optional.of(new AnnotationStateStore(service, THINGS)), secretStore(), List.of());
  }

  private SecretStateStore secretStore() {
    return new SecretStateStore(service, THINGS, secrets, STATES, "agent");
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
    secretStore().create(KEY, thing("web"), size(1));
    KubeObject copy =
        new AnnotationStateStore(service, THINGS).patch(KEY, stored("web"), Map.of(), size(2));
    secrets.cache().relist();

    assertThat(states.find(KEY, copy)).contains(size(2));
  }

  @Test
  void neverPutsAStateIntoAnAnnotationWhereItMayNot() {
    var apart = new FallbackStateStore(Optional.empty(), secretStore(), List.of());

    KubeObject copy = apart.create(KEY, thing("web"), size(1));
    copy = apart.patch(KEY, copy, Map.of("spec", Map.of("a", 2L)), size(2));

    assertThat(copy.annotations()).isEmpty();
    assertThat(apart.find(KEY, copy)).contains(size(2));
  }

  @Test
  void asksForAStateThatIsNotShownYet() {
    var apart = new FallbackStateStore(Optional.empty(), secretStore(), List.of());
    KubeObject copy = apart.create(KEY, thing("web"), size(1));

    var late = new FallbackStateStore(Optional.empty(), secretStore(), List.of());

    assertThat(late.find(KEY, copy)).contains(size(1));
  }

  @Test
  void goesOnFromAnEarlierAgentsStateUntilItHasItsOwn() {
    var store =
        new FallbackStateStore(
            Optional.of(new AnnotationStateStore(service, THINGS)),
            secretStore(),
            List.of((_, _) -> Optional.empty(), (_, _) -> Optional.of(size(5))));
    KubeObject copy = service.create(THINGS, thing("web"));
    assertThat(store.find(KEY, copy)).contains(size(5));

    copy = store.patch(KEY, copy, Map.of(), size(6));

    assertThat(store.find(KEY, copy)).contains(size(6));
  }
}
