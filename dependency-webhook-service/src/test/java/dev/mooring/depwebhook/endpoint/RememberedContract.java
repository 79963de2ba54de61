package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.Fixtures;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.index.IndexLimits;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.depwebhook.lookup.LookupMethod;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.lookup.memory.DependentMemory;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Strict lookups by versions, when another schema gives the same versions other defaults. The
 * webhook's clock goes faster than kcp's.
 */
abstract class RememberedContract extends OnWebhookEnvironment {
  private static final ResourceType DISKS =
      new ResourceType("storage.example.com", "v1alpha1", "disks");
  private static final String NAMED =
      "{type: object, properties: {ref: {type: object, "
          + "properties: {name: {type: string%s}}}}}";

  private static WorkspacePath storage;

  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final AtomicReference<LookupMethod> path = new AtomicReference<>();
  private final ReferenceIndexes indexes =
      ReferenceIndexes.start(
          cluster -> land.workspaces.client(cluster),
          IndexLimits.DEFAULT,
          SystemTime.steadyClock(),
          new ManualTime());
  private final DependentLookup lookup =
      new DependentLookup(
          cluster -> land.workspaces.client(cluster),
          indexes,
          new DependentMemory(50_000, () -> SystemTime.steadyClock().instant().plus(ahead.get())),
          SystemTime.steadyClock(),
          (method, _) -> path.set(method));

  /** To be called before all tests. */
  static void enter(WebhookEnvironment landscape) throws Exception {
    land = landscape;
    storage = land.nextTo(land.compute, "depwh-storage");
    land.bindDependencies(storage);
    land.export(storage, "storage.example.com", schema(""));
    land.bind(land.consumer, storage, "storage.example.com");
  }

  @Test
  void seesReferencesThatAnotherSchemaMakesByDefault() {
    IntStream.range(0, 1_000)
        .parallel()
        .forEach(
            i -> land.create(land.consumer, DISKS, "default", "disk" + i, Map.of("ref", Map.of())));
    await()
        .until(() -> {
          ahead.updateAndGet(before -> before.plusSeconds(10));
          return allows(look()) && path.get() == LookupMethod.VERSIONS;
        });

    land.replaceSchema(storage, "storage.example.com", schema(", default: net1"));
    KubeClient consumer = land.workspaces.client(land.consumer);
    await()
        .until(() ->
            consumer
                .find(DISKS, "default", "disk0")
                .orElseThrow()
                .text("spec", "ref", "name")
                .equals("net1"));

    await()
        .until(() -> {
          Lookup found = look();
          assertThat(allows(found)).as("by %s", path).isFalse();
          // For a moment kcp may not be ready to serve them.
          return found instanceof Lookup.Complete;
        });
  }

  private static boolean allows(Lookup found) {
    return found instanceof Lookup.Complete complete && complete.found().isEmpty();
  }

  private Lookup look() {
    var rule = Fixtures.rule("disks-need", DISKS, land.network.value(), VPCS, ".spec.ref.name");
    var key = new ObjectKey(land.workspaces.cluster(land.consumer), "default", "net1");
    return lookup.referrers(
        new Target(GroupResource.of(VPCS), key),
        DependentSearch.forAll(RuleIndex.of(List.of(rule)).about(GroupResource.of(VPCS))),
        RuleEligibility.EVERY);
  }

  private static String schema(String more) {
    return WebhookEnvironment.schemaOf(
        "disks.storage.example.com", "v1alpha1", NAMED.formatted(more));
  }
}
