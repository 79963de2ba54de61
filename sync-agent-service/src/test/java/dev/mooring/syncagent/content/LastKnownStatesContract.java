package dev.mooring.syncagent.content;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.syncagent.content.decide.LastSynced;
import dev.mooring.syncagent.content.decide.StateKey;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.content.decide.ValueDigests;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.simulation.ServerModel;
import dev.mooring.syncagent.simulation.ServiceViewModel;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every way of keeping last-known states has to do. */
abstract class LastKnownStatesContract {
  static final ResourceType THINGS = new ResourceType("example.io", "v1", "things");
  static final ResourceType SECRETS = ResourceType.core("secrets");
  static final String STATES = "agents";
  static final StateKey KEY = key("example.io/v1", "Thing");

  private static final Map<String, Object> MARKED =
      Map.of("metadata", Map.of("labels", Map.of("mark", "yes")));

  final FailingOnce faults = new FailingOnce();
  final ServerModel server = new ServerModel(faults);
  final KubeClient service = server.client(LogicalCluster.NONE);
  final ServiceViewModel secrets =
      new ServiceViewModel(
          server, SECRETS, secret -> secret.labels().containsKey(SyncMarks.OBJECT_STATE), _ -> "");
  LastKnownStates states;

  abstract LastKnownStates states();

  LastKnownStates withAnnotations() {
    return states(Optional.of(new AnnotationStateStore(service, THINGS)), "agent");
  }

  LastKnownStates apart(String agent) {
    return states(Optional.empty(), agent);
  }

  private LastKnownStates states(Optional<AnnotationStateStore> annotations, String agent) {
    return new LastKnownStates(
        annotations,
        new SecretStateStore(service, THINGS, secrets, STATES, agent),
        new GoAgentStateStore(service, secrets, STATES));
  }

  static StateKey key(String apiVersion, String kind) {
    return new StateKey(
        apiVersion, kind, new ObjectKey(new LogicalCluster("c1"), "default", "web"));
  }

  @BeforeEach
  void hasNamespaces() {
    for (String name : new String[] {"copies", STATES}) {
      service.create(
          ResourceType.core("namespaces"), KubeObject.of(Map.of("metadata", Map.of("name", name))));
    }
    states = states();
  }

  @Test
  void knowsNothingOfACopyThatWasNotWrittenHere() {
    KubeObject copy = service.create(THINGS, thing("web"));

    assertThat(states.find(KEY, copy)).isEmpty();
    assertThat(states.past(KEY, copy)).isEqualTo(new LastSynced.NotKept());
  }

  @Test
  void knowsWhatItWroteAtOnceAndLater() {
    KubeObject copy = states.create(KEY, thing("web"), size(1));
    assertThat(states.find(KEY, copy)).contains(size(1));

    copy = states.patch(KEY, copy, Map.of("spec", Map.of("a", 2L)), size(2));
    assertThat(states.find(KEY, copy)).contains(size(2));

    secrets.cache().relist();
    assertThat(states.find(KEY, stored("web"))).contains(size(2));
    assertThat(states().find(KEY, stored("web"))).contains(size(2));
    assertThat(stored("web").at("spec", "a")).isEqualTo(2L);
  }

  @Test
  void bringsAStateUpToDateWithoutAChangeOfContent() {
    KubeObject copy = states.create(KEY, thing("web"), size(1));

    copy = states.patch(KEY, copy, Map.of(), size(2));

    assertThat(states.find(KEY, copy)).contains(size(2));
  }

  @Test
  void keepsStatesOfDifferentKindsAndObjectsApart() {
    StateKey other = key("v1", "Secret");
    KubeObject copy = states.create(KEY, thing("web"), size(1));
    KubeObject otherCopy = states.create(other, thing("other"), size(7));
    copy = states.patch(KEY, copy, Map.of(), size(2));

    assertThat(states.find(KEY, copy)).contains(size(2));
    assertThat(states.find(other, otherCopy)).contains(size(7));
  }

  @Test
  void goesOnFromTheStateOfAnotherVersionOfTheType() {
    StateKey newer = key("example.io/v2", "Thing");
    KubeObject copy = states.create(KEY, thing("web"), size(1));

    assertThat(states.find(newer, copy)).contains(size(1));

    copy = states.patch(newer, copy, Map.of(), size(2));
    assertThat(states.find(KEY, copy)).contains(size(2));
    assertThat(server.all(SECRETS)).hasSizeLessThanOrEqualTo(1);
  }

  @Test
  void refusesACopyThatIsNotAsItWasSeenAndKeepsItsState() {
    KubeObject seen = states.create(KEY, thing("web"), size(1));
    service.patch(THINGS, "copies", "web", Map.of("spec", Map.of("mine", true)));

    assertThatThrownBy(() -> states.patch(KEY, seen, Map.of("spec", Map.of("a", 2L)), size(2)))
        .isInstanceOfSatisfying(
            KubeFailure.class, failure -> assertThat(failure.kind()).isEqualTo(Kind.CONFLICT));
    assertDue(states, stored("web"));
  }

  @Test
  void refusesANameThatIsTakenAndWritesNothingWhenTriedAgain() {
    KubeObject strangers = service.create(THINGS, thing("web"));

    refusesTheName();
    int before = server.writes();
    refusesTheName();

    assertThat(server.writes()).isEqualTo(before);
    assertThat(stored("web")).isEqualTo(strangers);
  }

  private void refusesTheName() {
    assertThatThrownBy(() -> states.create(KEY, thing("web"), size(1)))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> assertThat(failure.kind()).isEqualTo(Kind.ALREADY_EXISTS));
  }

  @Test
  void keepsWhatIsKnownOfACopyWhoseNameIsRefused() {
    KubeObject copy = states.create(KEY, thing("web"), size(1));

    assertThatThrownBy(() -> states.create(KEY, thing("web"), size(2)))
        .isInstanceOf(KubeFailure.class);

    assertDue(states, copy);
  }

  /** Size 2 was refused: it does not count as written. */
  static void assertDue(LastKnownStates states, KubeObject copy) {
    Map<String, Object> known = states.find(KEY, copy).orElseThrow();
    assertThat(SyncedContent.threeWay(copy, known, size(2)))
        .isEqualTo(copy.with(2L, "spec", "size"));
  }

  @Test
  void neverHasANewCopyWithoutAState() {
    for (int request = 1; request <= 2; request++) {
      faults.failBeforeWrite(request);
      StateKey key = key("example.io/v1", "Thing" + request);
      String name = "web-" + request;
      try {
        states.create(key, thing(name), size(1));
      } catch (KubeFailure interrupted) {
        assertThat(interrupted.kind()).isEqualTo(Kind.UNAVAILABLE);
      }
      faults.heal();
      service
          .find(THINGS, "copies", name)
          .ifPresent(copy -> assertThat(states.find(key, copy)).contains(size(1)));
    }
  }

  @Test
  void marksWhatItAdoptsAndNeverWithoutAState() {
    for (int request = 1; request <= 3; request++) {
      StateKey key = key("example.io/v1", "Thing" + request);
      KubeObject stranger = service.create(THINGS, thing("web-" + request));
      faults.failBeforeWrite(request);
      try {
        states.adopt(key, stranger, MARKED, size(1));
      } catch (KubeFailure interrupted) {
        assertThat(interrupted.kind()).isEqualTo(Kind.UNAVAILABLE);
      }
      faults.heal();
      KubeObject seen = stored(stranger.name());
      if (seen.labels().isEmpty()) {
        seen = states.adopt(key, seen, MARKED, size(1));
      }

      assertThat(states.find(key, seen)).contains(size(1));
      assertThat(seen.labels()).containsEntry("mark", "yes");
      assertThat(seen.at("spec")).isEqualTo(stranger.at("spec"));
    }
  }

  @ParameterizedTest(name = "write {0} fails")
  @ValueSource(ints = {1, 2, 3, 4})
  void bringsAValueThatReturnsAfterAnyFailure(int request) {
    states.create(KEY, thing("web").with(1L, "spec", "size"), size(1));
    faults.failBeforeWrite(request);
    try {
      bring(2);
    } catch (KubeFailure interrupted) {
      assertThat(interrupted.kind()).isEqualTo(Kind.UNAVAILABLE);
    }
    faults.heal();

    secrets.cache().relist();
    states = states();
    bring(1);

    assertThat(stored("web").at("spec", "size")).isEqualTo(1L);
    assertThat(states.find(KEY, stored("web"))).contains(size(1));
  }

  /** As a reconciler does. */
  private void bring(long size) {
    KubeObject copy = stored("web");
    Map<String, Object> known = states.find(KEY, copy).orElseThrow();
    states.patch(
        KEY,
        copy,
        SyncedContent.patch(copy, SyncedContent.threeWay(copy, known, size(size))),
        size(size));
  }

  @Test
  void neverHasAStateThatTheContentDoesNotHave() {
    KubeObject copy = states.create(KEY, thing("web"), size(1));
    for (int request = 1; request <= 4; request++) {
      faults.failBeforeWrite(request);
      try {
        states.patch(KEY, stored("web"), Map.of("spec", Map.of("a", 10L + request)), size(9));
      } catch (KubeFailure interrupted) {
        assertThat(interrupted.kind()).isEqualTo(Kind.UNAVAILABLE);
      }
      faults.heal();
      boolean stateIsNew = states.find(KEY, stored("web")).equals(java.util.Optional.of(size(9)));
      boolean contentIsNew = stored("web").at("spec", "a").equals(10L + request);
      assertThat(!stateIsNew || contentIsNew).as("after a failure of write %d", request).isTrue();
      copy = states.patch(KEY, stored("web"), Map.of(), size(1));
    }
    assertThat(states.find(KEY, copy)).contains(size(1));
  }

  @Test
  void findsOutThatAStoredStateCannotBeRead() {
    KubeObject copy = states.create(KEY, thing("web"), size(1));
    damage();
    secrets.cache().relist();

    assertThat(states.find(KEY, stored("web"))).isEmpty();
    assertThat(states.past(KEY, stored("web"))).isEqualTo(new LastSynced.Damaged());

    copy = states.patch(KEY, stored("web"), Map.of(), size(1));
    assertThat(states.find(KEY, copy)).contains(size(1));
  }

  @Test
  void leavesNothingBehindOnceTheObjectIsGone() {
    KubeObject copy = states.create(KEY, thing("web"), size(1));
    service.delete(
        THINGS,
        "copies",
        copy.name(),
        new dev.mooring.runtime.client.DeleteCondition.Unconditional());

    assertThat(states.isKeptApart(KEY)).isEqualTo(!server.all(SECRETS).isEmpty());

    states.drop(KEY);
    states.drop(KEY);

    assertThat(server.all(SECRETS)).isEmpty();
    assertThat(states.isKeptApart(KEY)).isFalse();
  }

  @Test
  void refusesWhatFitsNowhereBeforeAnythingIsWritten() {
    int before = server.writes();

    assertThatThrownBy(() -> states.create(KEY, thing("web"), noise(1_100_000)))
        .isInstanceOf(StateTooLarge.class)
        .hasMessageContaining("too large");
    assertThat(server.writes()).isEqualTo(before);
  }

  /** Overwrites whatever the implementation stored for {@link #KEY}. */
  abstract void damage();

  KubeObject stored(String name) {
    return service.find(THINGS, "copies", name).orElseThrow();
  }

  static Map<String, Object> size(long size) {
    return Map.of("spec", Map.of("size", size));
  }

  /** Content of short texts that compresses to about this many bytes. */
  static Map<String, Object> noise(int bytes) {
    var random = new Random(1);
    var texts = new ArrayList<String>();
    for (int i = 0; i < bytes; i += 100) {
      byte[] noise = new byte[100];
      random.nextBytes(noise);
      texts.add(HexFormat.of().formatHex(noise));
    }
    return Map.of("spec", texts);
  }

  /** Of one text, as long as etcd takes. */
  private static Map<String, Object> text(int seed) {
    byte[] noise = new byte[740_000];
    new Random(seed).nextBytes(noise);
    return Map.of("spec", Map.of("text", HexFormat.of().formatHex(noise)));
  }

  @Test
  void knowsLongTextsByTheirDigests() {
    KubeObject copy = states.create(KEY, thing("web"), text(1));
    assertIs(copy, text(1));

    copy = states.patch(KEY, copy, Map.of(), text(2));

    assertIs(copy, text(2));
    assertThat(SyncedContent.threeWay(copy, known(copy), text(1)).at("spec"))
        .isEqualTo(SyncedContent.overlay(copy, text(1)).with(1L, "spec", "a").at("spec"));
    secrets.cache().relist();
    assertIs(stored("web"), text(2));
  }

  private void assertIs(KubeObject copy, Map<String, Object> content) {
    assertThat(ValueDigests.match(known(copy), content)).isTrue();
    assertThat(known(copy).toString()).hasSizeLessThan(1_000);
  }

  private Map<String, Object> known(KubeObject copy) {
    return states.find(KEY, copy).orElseThrow();
  }

  static KubeObject thing(String name) {
    return KubeObject.of(
        Map.of(
            "apiVersion",
            "example.io/v1",
            "kind",
            "Thing",
            "metadata",
            Map.of("name", name, "namespace", "copies"),
            "spec",
            Map.of("a", 1L)));
  }

  /** Lets one request fail before it is carried out. */
  static final class FailingOnce implements ServerModel.Faults {
    private int writesUntilFailure = -1;

    void failBeforeWrite(int number) {
      writesUntilFailure = number;
    }

    void heal() {
      writesUntilFailure = -1;
    }

    @Override
    public void before(String verb) {
      if (writesUntilFailure > 0 && --writesUntilFailure == 0) {
        throw new KubeFailure(Kind.UNAVAILABLE, 0, "", "as the test asked", null, null);
      }
    }

    @Override
    public void after(String verb) {}
  }
}
