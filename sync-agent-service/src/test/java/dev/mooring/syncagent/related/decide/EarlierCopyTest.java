package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.RelatedWorld.secret;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.published.SyncMarks;
import dev.mooring.syncagent.related.decide.RelatedWorld.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Copies that an earlier agent left word of. */
class EarlierCopyTest {
  private static final Map<String, Object> AS_THEN = SyncedContent.of(secret("x"));
  private static final KubeObject LOCALLY_CHANGED = secret("c1").with("bG9jYWw=", "data", "key");

  @ParameterizedTest
  @EnumSource(Side.class)
  void areTheAgentsOwnAndKeepWhatIsLocal(Side origin) {
    RelatedWorld end = atRest(world(origin, Adoption.NEVER, secret("o1"), LOCALLY_CHANGED));

    assertThat(end.at(end.copyRef("c1"))).contains(LOCALLY_CHANGED);
    assertThat(end.recordOf(end.copyRef("c1")).orElseThrow().ownership()).isEqualTo(Ownership.MADE);
  }

  @ParameterizedTest
  @EnumSource(Side.class)
  void getWhatHasChangedSince(Side origin) {
    KubeObject changed = secret("o1").with("bmV3", "data", "more");

    RelatedWorld end = atRest(world(origin, Adoption.NEVER, changed, LOCALLY_CHANGED));

    assertThat(end.at(end.copyRef("c1")).orElseThrow().map("data"))
        .isEqualTo(Map.of("key", "bG9jYWw=", "more", "bmV3"));
  }

  @Test
  void areLeftAloneIfTheyBearAnothersMarks() {
    KubeObject marked =
        LOCALLY_CHANGED.with("another", "metadata", "labels", SyncMarks.SOURCE_CLUSTER);

    RelatedWorld end = atRest(world(Side.SERVICE, Adoption.UNCLAIMED, secret("o1"), marked));

    assertThat(end.at(end.copyRef("c1"))).contains(marked);
    assertThat(end.plan()).isInstanceOf(Progress.Refused.class);
  }

  private static RelatedWorld world(
      Side origin, Adoption adoption, KubeObject original, KubeObject copy) {
    var world =
        new RelatedWorld(
            RelatedWorld.entryOf(origin, Cleanup.DELETE),
            adoption,
            List.of("o1>c1"),
            OtherOwners.NONE,
            Phase.LIVING);
    return world
        .with(world.originalRef("o1"), original)
        .with(world.copyRef("c1"), copy)
        .withEarlier(AS_THEN);
  }

  private static RelatedWorld atRest(RelatedWorld start) {
    RelatedWorld world = start;
    for (int i = 0; i < 10 && world.plan() instanceof RelatedAction action; i++) {
      world = world.after(action);
    }
    assertThat(world.plan()).isNotInstanceOf(RelatedAction.class);
    return world;
  }
}
