package dev.mooring.syncagent.related.decide;

import static dev.mooring.syncagent.related.decide.RelatedWorld.secret;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.Adoption;
import dev.mooring.syncagent.published.ProjectedSchema.StatusSubresource;
import dev.mooring.syncagent.published.RelatedResource;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.RelatedResource.StatusSync;
import dev.mooring.syncagent.published.Side;
import dev.mooring.syncagent.related.decide.RelatedWorld.Phase;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RelatedStatusTest {
  private static final KubeObject READY = secret("x").with(Map.of("phase", "Ready"), "status");

  @Test
  void leavesTheStatusAloneWhereItIsOffAbsentOrEqual() {
    assertThat(settled(world(StatusSync.OFF, READY, secret("x")))).isFalse();
    assertThat(settled(world(StatusSync.FORWARD, secret("x"), READY))).isFalse();
    assertThat(settled(world(StatusSync.FORWARD, READY, READY))).isFalse();
  }

  @Test
  void forwardsADifferingStatus() {
    RelatedWorld world = world(StatusSync.FORWARD, READY, secret("x"));

    assertThat(world.plan()).isEqualTo(new RelatedAction.WriteStatus(world.copyRef("c1"), READY));
  }

  @Test
  void warnsOfATypeWithoutTheSubresource() {
    RelatedWorld world =
        world(StatusSync.FORWARD, READY, secret("x")).withCopyStatus(StatusSubresource.ABSENT);

    assertThat(settled(world)).isFalse();
    assertThat(atRest(world).plan())
        .isInstanceOfSatisfying(
            Progress.Warned.class,
            warning -> assertThat(warning.reason()).isEqualTo("StatusSubresourceMissing"));
  }

  @Test
  void forwardsTheStatusAfterAChangedSpec() {
    RelatedWorld world = world(StatusSync.FORWARD, READY.with("bmV3", "data", "key"), secret("x"));
    boolean forwarded = false;
    for (int i = 0; i < 4 && world.plan() instanceof RelatedAction action; i++) {
      forwarded |= action instanceof RelatedAction.WriteStatus;
      world = world.after(action);
    }

    assertThat(forwarded).isTrue();
    assertThat(world.at(world.copyRef("c1")).orElseThrow().text("data", "key")).isEqualTo("bmV3");
    assertThat(world.at(world.copyRef("c1")).orElseThrow().text("status", "phase"))
        .isEqualTo("Ready");
  }

  private static RelatedWorld atRest(RelatedWorld start) {
    RelatedWorld world = start;
    while (world.plan() instanceof RelatedAction action) {
      world = world.after(action);
    }
    return world;
  }

  /** Whether a status is written on the way to rest. */
  private static boolean settled(RelatedWorld start) {
    RelatedWorld world = start;
    while (world.plan() instanceof RelatedAction action) {
      if (action instanceof RelatedAction.WriteStatus) {
        return true;
      }
      world = world.after(action);
    }
    return false;
  }

  private static RelatedWorld world(StatusSync status, KubeObject original, KubeObject copy) {
    RelatedResource entry = RelatedWorld.entryOf(Side.SERVICE, Cleanup.KEEP);
    var forwarding =
        new RelatedResource(
            entry.identifier(),
            entry.origin(),
            entry.types(),
            "",
            entry.name(),
            entry.namespace(),
            entry.cleanup(),
            status,
            entry.mutations());
    var world =
        new RelatedWorld(
            forwarding, Adoption.UNCLAIMED, List.of("o1>c1"), OtherOwners.NONE, Phase.LIVING);
    return world
        .with(world.originalRef("o1"), original)
        .with(world.copyRef("c1"), copy)
        .with(Ownership.MADE, "o1", "c1");
  }
}
