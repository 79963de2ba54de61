package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.RelatedWorld.secret;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.RelatedWorld.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A copy that this process has just made, and not recorded yet. */
class NewCopyTest {
  private static final Map<String, Object> AS_MADE = SyncedContent.of(secret("x"));
  private static final KubeObject EDITED = secret("o1").with("bmV3", "data", "key");

  @ParameterizedTest
  @EnumSource(Side.class)
  void getsWhatItsOriginalChangedMeanwhile(Side origin) {
    RelatedWorld world = world(origin, Phase.LIVING).with(Ownership.INTENDED, "o1", "c1");

    assertThat(settled(world).at(world.copyRef("c1")).orElseThrow().at("data", "key"))
        .isEqualTo("bmV3");
  }

  @ParameterizedTest
  @EnumSource(Side.class)
  void getsWhatItsOriginalChangedWhereAnotherPrimaryIsTheFirstToRecordIt(Side origin) {
    RelatedWorld world = world(origin, Phase.LIVING);

    RelatedWorld end = settled(world);

    assertThat(end.at(world.copyRef("c1")).orElseThrow().at("data", "key")).isEqualTo("bmV3");
    assertThat(end.recordOf(world.copyRef("c1")).orElseThrow().ownership())
        .isEqualTo(Ownership.MADE);
  }

  @ParameterizedTest
  @EnumSource(Side.class)
  void goesWithItsPrimaryWhateverSomebodyHasMadeOfIt(Side origin) {
    RelatedWorld world = world(origin, Phase.GOING).with(Ownership.INTENDED, "o1", "c1");
    world.with(world.copyRef("c1"), secret("c1").with("bG9jYWw=", "data", "key"));

    assertThat(settled(world).at(world.copyRef("c1"))).isEmpty();
  }

  private static RelatedWorld world(Side origin, Phase phase) {
    var world =
        new RelatedWorld(
            RelatedWorld.entryOf(origin, Cleanup.DELETE),
            Adoption.NEVER,
            List.of("o1>c1"),
            OtherOwners.NONE,
            phase);
    return world
        .with(world.originalRef("o1"), EDITED)
        .with(world.copyRef("c1"), secret("c1"))
        .withCopyCreatedHere(AS_MADE);
  }

  private static RelatedWorld settled(RelatedWorld start) {
    RelatedWorld world = start;
    for (int i = 0; i < 10 && world.plan() instanceof RelatedAction action; i++) {
      world = world.after(action);
    }
    assertThat(world.plan()).isNotInstanceOf(RelatedAction.class);
    return world;
  }
}
