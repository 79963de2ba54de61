package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.Landscape.GATEWAYS;
import static dev.mooring.depwebhook.endpoint.Landscape.MACHINES;
import static dev.mooring.depwebhook.endpoint.Landscape.REGIONS;
import static dev.mooring.depwebhook.endpoint.Landscape.VPCS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.testing.TestWorkspaces;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Rules with {@code consistency: indexed}: the same answers, by another way. */
abstract class IndexedContract {
  private static Landscape land;
  private static ConfigurableApplicationContext service;

  /** To be called before all tests. */
  static void enter(Landscape landscape) throws Exception {
    land = landscape;
    land.rule(
        land.compute,
        "indexed",
        "consistency: indexed",
        MACHINES,
        "{path: .spec.ref.name}",
        "vpcs",
        "regions");
    land.rule("strict", GATEWAYS, "{path: .spec.ref.name}", "vpcs", "regions");
    service = land.serve(2);
    land.guard(service);
  }

  @AfterAll
  static void leave() {
    if (land != null) {
      land.close();
      land = null;
    }
  }

  @Test
  void answersFromAnIndexOnceItIsThere() {
    land.create(VPCS, "default", "indexed", "");
    land.create(MACHINES, "default", "vm-indexed", "indexed");
    awaitIndexedAnswers("indexed");

    land.assertRefused(
        VPCS,
        "default",
        "indexed",
        "cannot delete vpcs/indexed: still referenced by VirtualMachine/vm-indexed");

    land.delete(MACHINES, "default", "vm-indexed");
    await().atMost(TestWorkspaces.PATIENCE).until(() -> deleted("indexed"));
  }

  @Test
  void noticesReferencesThatComeAndGo() {
    land.create(VPCS, "default", "first", "");
    land.create(VPCS, "default", "second", "");
    land.create(MACHINES, "default", "vm-moving", "first");
    awaitIndexedAnswers("first");

    land.delete(MACHINES, "default", "vm-moving");
    land.create(MACHINES, "default", "vm-moved", "second");

    await().atMost(TestWorkspaces.PATIENCE).until(() -> deleted("first"));
    assertThat(land.refusal(land.consumer, VPCS, "default", "second"))
        .contains("VirtualMachine/vm-moved");
  }

  @Test
  void strictRulesAboutTheSameTargetAreStillListed() {
    land.create(REGIONS, "", "mixed", "");
    land.create(GATEWAYS, "", "gw-mixed", "mixed");

    land.assertRefused(
        REGIONS, "", "mixed", "cannot delete regions/mixed: still referenced by Gateway/gw-mixed");
  }

  private static void awaitIndexedAnswers(String referenced) {
    double before = indexedAnswers();
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .until(() -> {
          assertThat(land.refusal(land.consumer, VPCS, "default", referenced))
              .contains("still referenced by");
          return indexedAnswers() > before;
        });
  }

  private static double indexedAnswers() {
    return service
        .getBean(MeterRegistry.class)
        .get("mooring.dependency.webhook.lookup")
        .tag("path", "index")
        .timer()
        .count();
  }

  private static boolean deleted(String vpc) {
    try {
      land.delete(VPCS, "default", vpc);
      return true;
    } catch (KubeFailure refused) {
      assertThat(refused.getMessage()).contains("still referenced by");
      return false;
    }
  }
}
