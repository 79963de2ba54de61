package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.published.ApiType;
import dev.mooring.syncagent.published.Scope;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SecretStateStoreContract extends LastKnownStatesContract {
  private static final ApiType THING = type("Thing");

  @Override
  LastKnownStates states() {
    return apart("agent");
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
  void overwritesNoStateThatItHasNotSeenForACopyThatIsNotMade() {
    LastKnownStates late = states();
    KubeObject copy = states.create(KEY, thing("web"), size(1));

    assertThatThrownBy(() -> late.create(KEY, thing("web"), size(2)))
        .isInstanceOf(KubeFailure.class);
    assertThatThrownBy(() ->
            late.adopt(
                KEY,
                copy.with("1", "metadata", "resourceVersion"),
                Map.of("metadata", Map.of("labels", Map.of("a", "b"))),
                size(2)))
        .isInstanceOf(KubeFailure.class);

    secrets.cache().relist();
    assertDue(states(), copy);
  }

  @Test
  void tellsWhoseStateASecretKeeps() {
    states.create(KEY, thing("web"), size(1));
    KubeObject secret = server.all(SECRETS).values().iterator().next();

    assertThat(states.sourceOf(secret, THING)).contains(KEY.source());
    assertThat(states.sourceOf(secret, type("Other"))).isEmpty();
    assertThat(states.sourceOf(secret.with("x", "metadata", "name"), THING)).isEmpty();
    assertThat(ownedByOther().sourceOf(secret, THING)).isEmpty();

    secrets.cache().relist();
    assertThat(states.kept()).containsExactly(secret);
  }

  @Test
  void clearsAwayWhatIsAsItWasSeen() {
    states.create(KEY, thing("web"), size(1));

    states.clearAwayOwn(KEY);
    states.clearAwayOwn(KEY);

    assertThat(server.all(SECRETS)).isEmpty();
    assertThat(states.isKeptApart(KEY)).isFalse();
  }

  @Test
  void clearsNothingAwayThatHasChangedSinceItWasSeen() {
    KubeObject copy = states.create(KEY, thing("web"), size(1));
    secrets.cache().relist();
    states().patch(KEY, copy, Map.of(), size(2));
    LastKnownStates late = states();

    assertThatThrownBy(() -> late.clearAwayOwn(KEY))
        .isInstanceOfSatisfying(
            KubeFailure.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.CONFLICT));
    secrets.cache().relist();
    assertThat(states().find(KEY, copy)).contains(size(2));
  }

  @Test
  void clearsNothingAwayThatIsAnotherAgents() {
    states.create(KEY, thing("web"), size(1));
    secrets.cache().relist();

    ownedByOther().clearAway(KEY);

    assertThat(server.all(SECRETS)).hasSize(1);
  }

  private LastKnownStates ownedByOther() {
    return apart("another");
  }

  private static ApiType type(String kind) {
    return new ApiType(THINGS, kind, Scope.NAMESPACED);
  }

  @Test
  void doesNotTakeAnOldViewForNewerThanItsOwnWrite() {
    KubeObject copy = states.create(KEY, thing("web"), size(1));
    secrets.cache().relist();
    copy = states.patch(KEY, copy, Map.of(), size(2));

    assertThat(states.find(KEY, copy)).contains(size(2));
  }
}
