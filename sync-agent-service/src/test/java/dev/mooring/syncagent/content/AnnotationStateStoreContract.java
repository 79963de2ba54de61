package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.syncagent.published.SyncMarks;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AnnotationStateStoreContract extends LastKnownStatesContract {
  @Override
  LastKnownStates states() {
    return new AnnotationStateStore(service, THINGS);
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

    assertThatThrownBy(() -> states.create(KEY, crowded, noise(80 * 1024)))
        .isInstanceOf(StateTooLarge.class);
    assertThat(states.create(KEY, crowded, size(1)).annotations())
        .containsKey(SyncMarks.LAST_KNOWN_STATE);
  }
}
