package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.RelatedWorld.secret;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.RelatedWorld.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What of the original belongs in the copy. */
class CopyContentTest {
  private final RelatedWorld world =
      new RelatedWorld(
          RelatedWorld.entryOf(Side.KCP, Cleanup.DELETE),
          Adoption.NEVER,
          List.of("o1>c1", "o2>c2"),
          OtherOwners.NONE,
          Phase.LIVING);

  @Test
  void isNotRenderedWhileCopiesAreGathered() {
    world
        .with(world.originalRef("o1"), secret("o1"))
        .with(world.copyRef("c1"), secret("c1"))
        .with(Ownership.MADE, "o1", "c1")
        .with(Ownership.MADE, "o3", "c3");

    assertThat(world.seen().all())
        .hasSize(3)
        .extracting(CopySnapshot::content)
        .containsOnly(new CopySnapshot.Content.None());
  }

  @Test
  void isRenderedForADecisionThatAsksForIt() {
    world.with(world.originalRef("o1"), secret("o1"));

    CopySnapshot one = world.seen().present().getFirst().withContent();

    assertThat(one.content())
        .isEqualTo(new CopySnapshot.Content.Rendered(SyncedContent.of(secret("o1"))));
  }
}
