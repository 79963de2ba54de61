package dev.mooring.syncagent.clusters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.lease.Share;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.syncagent.simulation.ServerModel;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NamespaceWriterTest {
  private static final ResourceType NAMESPACES = ResourceType.core("namespaces");
  private static final String NAME = "team-a";
  private static final Predicate<String> EMPTY = _ -> false;

  /** What the next deletions are answered with. */
  private final List<KubeFailure> answers = new ArrayList<>();

  private final KubeClient service =
      new ServerModel(
              new ServerModel.Faults() {
                @Override
                public void before(String verb) {
                  if (verb.equals("delete") && !answers.isEmpty()) {
                    throw answers.removeFirst();
                  }
                }

                @Override
                public void after(String verb) {}
              })
          .client(LogicalCluster.NONE);

  private final KubeObject seen =
      service.create(
          NAMESPACES,
          KubeObject.of(
              Map.of("apiVersion", "v1", "kind", "Namespace", "metadata", Map.of("name", NAME))));

  private final NamespaceWriter namespaces = writer(NamespaceContents.NOTHING);

  @Test
  void removesWhatHoldsNothing() {
    namespaces.remove(seen, EMPTY, EMPTY);

    assertThat(isThere()).isFalse();
  }

  @Test
  void keepsWhatTheServerHasCopiesIn() {
    writer(NamespaceContents.SOMETHING).remove(seen, EMPTY, EMPTY);

    assertThat(isThere()).isTrue();
  }

  @Test
  void keepsWhatIsKnownToBeOccupied() {
    namespaces.remove(seen, NAME::equals, EMPTY);

    assertThat(isThere()).isTrue();
  }

  @Test
  void removesNothingAroundWhatIsBeingMade() {
    namespaces.inside(
        NAME,
        () -> {
          namespaces.remove(seen, EMPTY, EMPTY);
          return "made";
        });

    assertThat(isThere()).isTrue();
    namespaces.remove(seen, EMPTY, EMPTY);
    assertThat(isThere()).isFalse();
  }

  @Test
  void waitsForTheLastOfThoseWhoMakeSomething() {
    namespaces.inside(
        NAME,
        () -> {
          namespaces.inside(NAME, () -> "made first");
          namespaces.remove(seen, EMPTY, EMPTY);
          return "made last";
        });

    assertThat(isThere()).isTrue();
  }

  @Test
  void makesNothingInWhatIsBeingRemoved() {
    List<Optional<String>> made = new ArrayList<>();

    namespaces.remove(
        seen,
        name -> {
          made.add(namespaces.inside(name, () -> "made"));
          made.add(namespaces.inside("team-b", () -> "made elsewhere"));
          made.add(namespaces.inside("", () -> "made in none"));
          return false;
        },
        EMPTY);

    assertThat(made)
        .containsExactly(
            Optional.empty(), Optional.of("made elsewhere"), Optional.of("made in none"));
    assertThat(namespaces.inside(NAME, () -> "made anew")).contains("made anew");
  }

  @Test
  void keepsOutASecondRemoverAndWhoComesAfterIt() {
    List<Optional<String>> made = new ArrayList<>();

    namespaces.remove(
        seen,
        name -> {
          namespaces.remove(seen, EMPTY, EMPTY);
          made.add(namespaces.inside(name, () -> "made"));
          return true;
        },
        EMPTY);

    assertThat(isThere()).isTrue();
    assertThat(made).containsExactly(Optional.empty());
  }

  @Test
  void keepsWhatChangedSinceItWasSeenAndSaysSo() {
    service.patch(NAMESPACES, "", NAME, Map.of("metadata", Map.of("labels", Map.of("a", "b"))));

    assertThatThrownBy(() -> namespaces.remove(seen, EMPTY, EMPTY))
        .isInstanceOf(KubeFailure.class)
        .extracting(e -> ((KubeFailure) e).kind())
        .isEqualTo(Kind.CONFLICT);

    assertThat(isThere()).isTrue();
    assertThat(namespaces.inside(NAME, () -> "made")).contains("made");
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void saysWhatIsToBeTriedAgainAndNothingElse(Kind kind) {
    answers.add(new KubeFailure(kind, 400, "", "no", null, null));

    switch (kind) {
      case NOT_FOUND, FORBIDDEN, INVALID, NOT_SERVED, TOO_LARGE ->
          assertThatCode(() -> namespaces.remove(seen, EMPTY, EMPTY)).doesNotThrowAnyException();
      case ALREADY_EXISTS, CONFLICT, UNAUTHORIZED, GONE, UNAVAILABLE ->
          assertThatThrownBy(() -> namespaces.remove(seen, EMPTY, EMPTY))
              .isInstanceOf(KubeFailure.class);
    }

    namespaces.remove(seen, EMPTY, EMPTY);
    assertThat(isThere()).isFalse();
  }

  private NamespaceWriter writer(NamespaceContents contents) {
    return new NamespaceWriter(
        service, _ -> contents, new WorkShare(Share.EVERYTHING), new ManualTime());
  }

  private boolean isThere() {
    return service.find(NAMESPACES, "", NAME).isPresent();
  }
}
