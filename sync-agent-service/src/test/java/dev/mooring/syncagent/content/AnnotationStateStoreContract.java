package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
}
