package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.RelatedWorld.secret;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.RelatedWorld.Phase;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An entry whose originals were the consumer's, and are the service's by now. */
class TurnedEntryTest {
  @ParameterizedTest
  @EnumSource(Phase.class)
  void letsGoOfTheOriginalThatWasHeldForIt(Phase phase) {
    RelatedWorld before = world(Side.KCP, phase).with(Ownership.MADE, "o1", "c1");
    KubeObject held =
        secret("o1").with(RelatedWorld.FINALIZERS.addedTo(secret("o1")), "metadata", "finalizers");
    RelatedWorld world =
        world(Side.SERVICE, phase)
            .with(before.recordOf(before.copyRef("c1")).orElseThrow())
            .with(before.originalRef("o1"), held);

    for (int i = 0; i < 10 && world.plan() instanceof RelatedAction action; i++) {
      world = world.after(action);
    }

    assertThat(world.at(before.originalRef("o1")).orElseThrow().finalizers()).isEmpty();
    assertThat(world.records()).isEmpty();
  }

  private static RelatedWorld world(Side origin, Phase phase) {
    return new RelatedWorld(
        RelatedWorld.entryOf(origin, Cleanup.DELETE),
        Adoption.NEVER,
        List.of("o1>c1"),
        OtherOwners.NONE,
        phase);
  }
}
