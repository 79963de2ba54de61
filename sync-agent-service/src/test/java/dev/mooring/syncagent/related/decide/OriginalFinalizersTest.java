package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.RelatedWorld.secret;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.List;
import org.junit.jupiter.api.Test;

class OriginalFinalizersTest {
  private static final OriginalFinalizers FIRST = OriginalFinalizers.of("first");
  private static final OriginalFinalizers SECOND = OriginalFinalizers.of("second");

  @Test
  void addsItsOwnAndTheSharedFinalizerToThoseOfOthers() {
    assertThat(FIRST.addedTo(with("example.io/keep")))
        .containsExactly("example.io/keep", SyncMarks.FINALIZER, FIRST.own());
    assertThat(FIRST.own()).matches("syncagent\\.kcp\\.io/cleanup-[0-9a-f]{8}");
  }

  @Test
  void keepsTheSharedFinalizerAsLongAsAnotherAgentHolds() {
    KubeObject both = with(SyncMarks.FINALIZER, FIRST.own(), SECOND.own(), "example.io/keep");

    List<String> afterFirst = FIRST.removedFrom(both);
    List<String> afterSecond = SECOND.removedFrom(with(afterFirst.toArray(String[]::new)));

    assertThat(afterFirst).containsExactly(SyncMarks.FINALIZER, SECOND.own(), "example.io/keep");
    assertThat(afterSecond).containsExactly("example.io/keep");
  }

  @Test
  void holdsAnewWhatOnlyTheSharedFinalizerHolds() {
    KubeObject legacy = with(SyncMarks.FINALIZER);

    assertThat(FIRST.areOn(legacy)).isFalse();
    assertThat(FIRST.addedTo(legacy)).containsExactly(SyncMarks.FINALIZER, FIRST.own());
    assertThat(FIRST.removedFrom(legacy)).isEmpty();
  }

  private static KubeObject with(String... finalizers) {
    return secret("x").with(List.of(finalizers), "metadata", "finalizers");
  }
}
