package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.lookup.LookupMethod;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.sandbox.Shard;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** On a sandbox of two shards, with a consumer on each. */
@Tag("full")
class EnforcementShardsIT extends EnforcementContract {
  @BeforeAll
  static void starts(@TempDir Path directory) throws Exception {
    enter(WebhookEnvironment.onSandbox(directory, 2));
  }

  @Test
  void indexesTheDependentsOfConsumersOnEveryShard() {
    land.rule(
        land.compute,
        "peers-indexed",
        "consistency: indexed",
        MACHINES,
        "{path: .spec.peer.name}",
        "vpcs");
    try {
      land.awaitRules(3);
      List<WorkspacePath> consumers = List.of(land.consumer, land.other);
      for (WorkspacePath in : consumers) {
        land.create(in, VPCS, "default", "peered", "");
        land.create(in, MACHINES, "default", "vm-peer", Map.of("peer", Map.of("name", "peered")));
      }

      for (WorkspacePath in : consumers) {
        awaitIndexedRefusal(in);
      }

      land.delete(land.other, MACHINES, "default", "vm-peer");
      land.delete(land.other, VPCS, "default", "peered");
      assertThat(land.exists(land.other, VPCS, "default", "peered")).isFalse();
      awaitIndexedRefusal(land.consumer);
    } finally {
      land.deleteRule("peers-indexed");
      land.awaitRules(2);
    }
  }

  @Test
  void protectsConsumersOfBothShardsWhileOneIsDownAndAfterwards() {
    Map<String, WorkspacePath> consumers =
        Map.of(
            land.workspaces.shard(land.consumer), land.consumer,
            land.workspaces.shard(land.other), land.other);
    for (WorkspacePath in : consumers.values()) {
      land.create(in, VPCS, "default", "outlives", "");
      land.create(in, MACHINES, "default", "vm-outlives", "outlives");
    }
    Shard shard = land.workspaces.sandbox().shard("shard-1");

    shard.kill();
    try {
      assertRefused(consumers.get("root"));
    } finally {
      shard.start();
    }

    for (WorkspacePath in : consumers.values()) {
      await().ignoreExceptions().untilAsserted(() -> assertRefused(in));
      land.delete(in, MACHINES, "default", "vm-outlives");
      await()
          .ignoreExceptions()
          .until(() -> {
            land.delete(in, VPCS, "default", "outlives");
            return !land.exists(in, VPCS, "default", "outlives");
          });
    }
  }

  private static void assertRefused(WorkspacePath in) {
    land.assertRefused(
        in,
        VPCS,
        "default",
        "outlives",
        "cannot delete vpcs/outlives: still referenced by VirtualMachine/vm-outlives");
  }

  /** The strict rules about machines do not keep an index from refusing sooner. */
  private static void awaitIndexedRefusal(WorkspacePath in) {
    await()
        .until(() -> {
          double before = WebhookEnvironment.lookups(service, LookupMethod.INDEX);
          assertThat(land.refusal(in, VPCS, "default", "peered"))
              .contains("still referenced by VirtualMachine/vm-peer");
          return WebhookEnvironment.lookups(service, LookupMethod.INDEX) > before;
        });
  }
}
