package dev.mooring.depwebhook.index;

import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.enforced;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.Disclosures;
import dev.mooring.depwebhook.Fixtures;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.depwebhook.lookup.LookupMethod;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.runtime.time.SystemTime;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Indexes of a type that a consumer does not have, or not always. */
class UnservedTypesIT extends OnIndexes {
  private static final ResourceType DISKS = new ResourceType("storage.example.com", "v1", "disks");
  private static final ResourceType DEFINITIONS =
      new ResourceType("apiextensions.k8s.io", "v1", "customresourcedefinitions");
  private static final KubeObject DEFINITION =
      object(
          """
          {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
           "metadata": {"name": "disks.storage.example.com"},
           "spec": {
             "group": "storage.example.com", "scope": "Namespaced",
             "names": {"kind": "Disk", "listKind": "DiskList", "plural": "disks",
                       "singular": "disk"},
             "versions": [{"name": "v1", "served": true, "storage": true, "schema": {
               "openAPIV3Schema": {
                 "type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]}}
          """);
  private static final KubeObject DISK =
      object(
          """
          {"apiVersion": "storage.example.com/v1", "kind": "Disk",
           "metadata": {"name": "disk1", "namespace": "default"}, "spec": {"vpc": "net1"}}
          """);

  private final AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
  private final AtomicReference<LookupMethod> path = new AtomicReference<>();
  private WorkspacePath workspace;
  private LogicalCluster consumer;

  @BeforeEach
  void enters() {
    workspace = workspaces.create("unserved");
    consumer = workspaces.cluster(workspace);
    indexes =
        ReferenceIndexes.start(
            workspaces::client, IndexLimits.DEFAULT, this::now, new ManualTime());
  }

  @Test
  void takesNoPlaceAndIsNotTriedForAWhile() {
    assertThat(blockers()).isEmpty();
    await().until(() -> indexes.status().indexes() == 0);

    assertThat(blockers()).isEmpty();
    assertThat(indexes.status()).isEqualTo(ReferenceIndexes.Status.NONE);

    ahead.set(ReferenceIndexes.UNSERVED_RETRY.plusSeconds(1));
    assertThat(blockers()).isEmpty();
    await().until(() -> indexes.status().indexes() == 0);
  }

  @Test
  void isFoundOnceItIsServedThoughItWasNotAMomentAgo() {
    assertThat(blockers()).isEmpty();
    await().until(() -> indexes.status().indexes() == 0);

    comesToBeServed();

    assertThat(blockers()).endsWith("VirtualMachine/disk1");
    assertThat(path).hasValue(LookupMethod.LIST);
    ahead.set(ReferenceIndexes.UNSERVED_RETRY.plusSeconds(1));
    awaitIndexed();
    assertThat(blockers()).endsWith("VirtualMachine/disk1");
  }

  @Test
  void givesItsPlaceBackOnceItIsServedNoMore() {
    comesToBeServed();
    awaitIndexed();

    workspaces
        .client(workspace)
        .delete(DEFINITIONS, "", "disks.storage.example.com", new DeleteCondition.Unconditional());

    await()
        .until(() -> {
          ahead.updateAndGet(time -> time.plus(IndexLimits.DEFAULT.maxStaleness()));
          indexes.revalidate();
          return indexes.status().indexes() == 0;
        });
    assertThat(blockers()).isEmpty();
  }

  /** With an object that refers. */
  private void comesToBeServed() {
    workspaces.create(workspace, DEFINITIONS, DEFINITION);
    workspaces.create(workspace, DISKS, DISK);
  }

  private static KubeObject object(String json) {
    return KubeJson.readObject(json.getBytes(StandardCharsets.UTF_8));
  }

  private Instant now() {
    return SystemTime.clock().instant().plus(ahead.get());
  }

  private void awaitIndexed() {
    await()
        .until(() -> {
          blockers();
          return path.get() == LookupMethod.INDEX;
        });
  }

  /** What a message says of what keeps net1; empty if nothing does. */
  private String blockers() {
    var rule =
        Fixtures.rule("disks", DISKS, "root:network", VPCS, ".spec.vpc")
            .with(enforced(Mode.DENY, Consistency.INDEXED));
    var lookup =
        new DependentLookup(
            workspaces::client,
            indexes,
            Disclosures.unasked(),
            this::now,
            (way, took) -> path.set(way));
    var target = new Target(GroupResource.of(VPCS), new ObjectKey(consumer, "default", "net1"));
    LookupResult found =
        lookup.findReferrers(
            Fixtures.query(
                target,
                RuleIndex.of(List.of(rule)).about(GroupResource.of(VPCS)),
                RuleEligibility.EVERY));
    assertThat(found).isInstanceOf(LookupResult.Complete.class);
    var blockers = ((LookupResult.Complete) found).of(Mode.DENY).blockers();
    return blockers.isEmpty() ? "" : blockers.denial(target);
  }
}
