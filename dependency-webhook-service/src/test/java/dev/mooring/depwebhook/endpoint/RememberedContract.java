package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.Landscape.VPCS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.Fixtures;
import dev.mooring.depwebhook.index.IndexTerms;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.depwebhook.lookup.DependentMemory;
import dev.mooring.depwebhook.lookup.LookupPath;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.depwebhook.standing.Standing;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

/**
 * What a strict lookup remembers of long lists, when kcp comes to show the same versions otherwise.
 * The webhook's clock goes faster than kcp's.
 */
abstract class RememberedContract {
  private static final ResourceType DISKS =
      new ResourceType("storage.example.com", "v1alpha1", "disks");
  private static final String NAMED =
      "{type: object, properties: {ref: {type: object, "
          + "properties: {name: {type: string%s}}}}}";

  private static Landscape land;
  private static WorkspacePath storage;

  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final AtomicReference<LookupPath> path = new AtomicReference<>();
  private final ReferenceIndexes indexes =
      ReferenceIndexes.start(
          cluster -> land.workspaces.client(cluster),
          IndexTerms.DEFAULT,
          SystemTime.steadyClock(),
          new ManualTime());
  private final DependentLookup lookup =
      new DependentLookup(
          cluster -> land.workspaces.client(cluster),
          indexes,
          new DependentMemory(50_000, () -> SystemTime.steadyClock().instant().plus(ahead.get())),
          SystemTime.steadyClock(),
          (way, _) -> path.set(way));

  /** To be called before all tests. */
  static void enter(Landscape landscape) throws Exception {
    land = landscape;
    storage = land.beside(land.compute, "depwh-storage");
    land.bindDependencies(storage);
    land.export(storage, "storage.example.com", schema(""));
    land.bind(land.consumer, storage, "storage.example.com");
  }

  @AfterAll
  static void leave() {
    if (land != null) {
      land.close();
      land = null;
    }
  }

  @Test
  void seesReferencesThatAnotherSchemaMakesByDefault() {
    IntStream.range(0, 1_000)
        .parallel()
        .forEach(
            i -> land.create(land.consumer, DISKS, "default", "disk" + i, Map.of("ref", Map.of())));
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() -> {
          ahead.updateAndGet(before -> before.plusSeconds(10));
          return allows(look()) && path.get() == LookupPath.VERSIONS;
        });

    land.exportAnew(storage, "storage.example.com", schema(", default: net1"));
    KubeClient consumer = land.workspaces.client(land.consumer);
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() ->
            consumer
                .find(DISKS, "default", "disk0")
                .orElseThrow()
                .text("spec", "ref", "name")
                .equals("net1"));

    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() -> {
          Lookup found = look();
          assertThat(allows(found)).as("by %s", path).isFalse();
          // kcp may say for a moment that it is not ready to serve them.
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
        Standing.EVERY);
  }

  private static String schema(String more) {
    return Landscape.schemaOf("disks.storage.example.com", "v1alpha1", NAMED.formatted(more));
  }
}
