package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnnotationStateStoreContract extends LastKnownStatesContract {
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
        Map.of(
            "metadata", Map.of("annotations", Map.of(SyncMarks.LAST_KNOWN_STATE, "{\"spec\":"))));
  }

  @Test
  void leavesRoomForTheCopysOtherAnnotations() {
    var crowded =
        thing("web").with("x".repeat(200 * 1024), "metadata", "annotations", "example.io/notes");

    var store = new AnnotationStateStore(service, THINGS);
    assertThatThrownBy(() -> store.create(crowded, noise(80 * 1024)))
        .isInstanceOf(StateTooLarge.class);
    assertThat(store.create(crowded, size(1)).annotations())
        .containsKey(SyncMarks.LAST_KNOWN_STATE);
  }

  @Test
  void aCacheHoldsNoStateThatEqualsTheCopy() {
    Map<String, Object> content = SyncedContent.of(thing("web"));
    KubeObject copy = states.create(KEY, thing("web"), content);

    KubeObject held = AnnotationStateStore.compact(copy);

    assertThat(held.annotations().get(SyncMarks.LAST_KNOWN_STATE)).hasSize(1);
    assertThat(states.find(KEY, held)).contains(content);
    assertThat(AnnotationStateStore.compact(held)).isEqualTo(held);
  }

  @Test
  void aCacheHoldsAStateThatDiffersFromTheCopy() {
    KubeObject copy = states.create(KEY, thing("web").with(2L, "spec", "size"), size(1));

    assertThat(AnnotationStateStore.compact(copy)).isSameAs(copy);
    damage();
    KubeObject damaged = service.find(THINGS, "copies", "web").orElseThrow();
    assertThat(AnnotationStateStore.compact(damaged)).isSameAs(damaged);
  }
}
