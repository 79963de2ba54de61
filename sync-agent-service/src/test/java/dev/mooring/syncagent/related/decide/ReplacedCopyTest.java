package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.RelatedWorld.secret;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.RelatedWorld.Phase;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody removed a copy and made an object of their own by its name. */
class ReplacedCopyTest {
  private static final KubeObject THEIRS = secret("c1").with("bXluZQ==", "data", "key");

  @ParameterizedTest
  @EnumSource(
      value = Adoption.class,
      names = {"NEVER", "MARKED"})
  void isAStranger(Adoption adoption) {
    assertThat(onceNamed(world(adoption, OtherOwners.NONE, Phase.LIVING, THEIRS)).plan())
        .isInstanceOfSatisfying(
            Progress.Refused.class,
            refused -> assertThat(refused.reason()).isEqualTo("NameCollision"));
  }

  @Test
  void isAdoptedLikeAnyOtherWhereThatIsAllowedAndKeepsWhatItHas() {
    RelatedWorld world = world(Adoption.UNCLAIMED, OtherOwners.NONE, Phase.LIVING, THEIRS);

    RelatedRecord record = stored(world);

    assertThat(record.ownership()).isEqualTo(Ownership.ADOPTED);
    assertThat(record.copyUid()).isEqualTo("c1");
    RelatedWorld next = world.after(new RelatedAction.StoreRecord(record));
    while (next.plan() instanceof RelatedAction action) {
      assertThat(action).isNotInstanceOf(RelatedAction.PatchCopy.class);
      next = next.after(action);
    }
  }

  @Test
  void isNotDeletedWithThePrimary() {
    RelatedWorld world = world(Adoption.NEVER, OtherOwners.NONE, Phase.GOING, THEIRS);

    while (world.plan() instanceof RelatedAction action) {
      world = world.after(action);
    }

    assertThat(world.at(world.copyRef("c1"))).contains(THEIRS);
    assertThat(world.records()).isEmpty();
  }

  @Test
  void isKnownFromNowOnWhereItIsLikeTheOneBefore() {
    RelatedRecord record =
        stored(world(Adoption.NEVER, OtherOwners.NONE, Phase.LIVING, secret("c1")));

    assertThat(record.ownership()).isEqualTo(Ownership.MADE);
    assertThat(record.copyUid()).isEqualTo("c1");
  }

  @Test
  void isLeftToThePrimaryWhosePassesWriteIt() {
    assertThat(
            onceNamed(world(Adoption.NEVER, OtherOwners.THEY_WRITE, Phase.LIVING, THEIRS)).plan())
        .isInstanceOf(Progress.Waiting.class);
  }

  /** Once the consumer's primary names the copy. */
  private static RelatedWorld onceNamed(RelatedWorld world) {
    return world.plan() instanceof RelatedAction.AnnotatePrimary note ? world.after(note) : world;
  }

  private static RelatedRecord stored(RelatedWorld world) {
    assertThat(world.plan()).isInstanceOf(RelatedAction.class);
    return ((RelatedAction.StoreRecord) world.plan()).record();
  }

  private static RelatedWorld world(
      Adoption adoption, OtherOwners others, Phase phase, KubeObject copy) {
    var world =
        new RelatedWorld(
            RelatedWorld.entryOf(Side.SERVICE, Cleanup.DELETE),
            adoption,
            List.of("o1>c1"),
            others,
            phase);
    return world
        .with(world.originalRef("o1"), secret("o1"))
        .with(world.copyRef("c1"), copy)
        .with(Ownership.MADE, "o1", "c1", "earlier");
  }
}
