package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.SyncMarks;
import dev.mooring.runtime.client.DeleteCondition;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretStateStoreContract extends LastKnownStatesContract {
  @Override
  LastKnownStates states() {
    return new SecretStateStore(service, service, THINGS, secrets, STATES, "agent");
  }

  @Override
  void damage() {
    service.patch(SECRETS, STATES, KEY.secretName(), Map.of("data", Map.of("state", "bm9wZQ==")));
  }

  @Test
  void marksItsSecretsAsStatesOfTheirSource() {
    states.create(KEY, thing("web"), size(1));

    KubeObject secret = server.all(SECRETS).values().iterator().next();
    assertThat(secret.namespace()).isEqualTo(STATES);
    assertThat(secret.name()).matches("mooring-state-[0-9a-f]{20}");
    assertThat(secret.labels())
        .containsEntry(SyncMarks.OBJECT_STATE, "true")
        .containsEntry(SyncMarks.AGENT_NAME, "agent")
        .containsEntry(SyncMarks.SOURCE_CLUSTER, "c1");
    assertThat(secret.annotations()).containsEntry(SyncMarks.SOURCE_NAME, "web");
    assertThat(stored("web").annotations()).isEmpty();
  }

  @Test
  void writesAgainWhatAPersonDeletedOrChanged() {
    KubeObject copy = states.create(KEY, thing("web"), size(1));
    service.delete(SECRETS, STATES, KEY.secretName(), new DeleteCondition.Unconditional());

    copy = states.patch(KEY, copy, Map.of(), size(2));
    secrets.cache().relist();
    assertThat(states().find(KEY, copy)).contains(size(2));

    service.patch(SECRETS, STATES, KEY.secretName(), Map.of("data", Map.of("more", "bW9yZQ==")));
    copy = states.patch(KEY, copy, Map.of(), size(3));
    secrets.cache().relist();
    assertThat(states().find(KEY, copy)).contains(size(3));
  }

  @Test
  void doesNotTakeAnOldViewForNewerThanItsOwnWrite() {
    KubeObject copy = states.create(KEY, thing("web"), size(1));
    secrets.cache().relist();
    copy = states.patch(KEY, copy, Map.of(), size(2));

    assertThat(states.find(KEY, copy)).contains(size(2));
  }
}
