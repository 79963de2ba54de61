package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.GATEWAYS;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.REGIONS;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.Disclosures;
import dev.mooring.depwebhook.RecordedReads;
import dev.mooring.depwebhook.admission.BypassChecker;
import dev.mooring.depwebhook.admission.FactGatherer;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.DeletionPolicy.Decided;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.eligibility.EligibilityChecker;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.depwebhook.lookup.LookupListener;
import dev.mooring.depwebhook.lookup.LookupMethod;
import dev.mooring.depwebhook.race.UnusedRegister;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** Rules with {@code consistency: indexed}: the same answers, by another way. */
abstract class IndexedContract extends OnWebhookEnvironment {
  private static ConfigurableApplicationContext service;

  /** To be called before all tests. */
  static void enter(WebhookEnvironment landscape) throws Exception {
    land = landscape;
    land.rule(
        land.compute,
        "indexed",
        "consistency: indexed",
        MACHINES,
        "{path: .spec.ref.name}",
        "vpcs",
        "regions");
    land.rule("strict", GATEWAYS, "{path: .spec.ref.name}", "regions");
    service = land.serve(2);
    land.guard(service);
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
    await().until(() -> deleted("indexed"));
  }

  @Test
  void noticesReferencesThatComeAndGo() {
    land.create(VPCS, "default", "first", "");
    land.create(VPCS, "default", "second", "");
    land.create(MACHINES, "default", "vm-moving", "first");
    awaitIndexedAnswers("first");

    land.delete(MACHINES, "default", "vm-moving");
    land.create(MACHINES, "default", "vm-moved", "second");

    await().until(() -> deleted("first"));
    awaitIndexedAnswers("second");
    assertThat(land.refusal(land.consumer, VPCS, "default", "second"))
        .contains("VirtualMachine/vm-moved");
  }

  @Test
  void aRefusalReadsSevenObjectsByNameAndNoList() {
    land.create(VPCS, "default", "counted", "");
    land.create(MACHINES, "default", "vm-counted", "counted");
    awaitIndexedAnswers("counted");
    var reads = new RecordedReads();
    FactGatherer reviewer = reviewerReading(reads);
    // The first one learns the names of the bindings.
    refused(reviewer, "counted");
    reads.requests.clear();

    refused(reviewer, "counted");

    assertThat(reads.requests)
        .containsExactlyInAnyOrder(
            "get virtualmachines/vm-counted",
            "get apiexports/compute.example.com",
            "get apiexports/network.example.com",
            "get apibindings/compute.example.com",
            "get apibindings/network.example.com",
            "get apibindings/dependencies.opendefense.cloud",
            "get logicalclusters/cluster");
  }

  @Test
  void whatNothingRefersToIsAllowedWithoutARequest() {
    land.create(VPCS, "default", "anchor", "");
    land.create(MACHINES, "default", "vm-anchor", "anchor");
    awaitIndexedAnswers("anchor");
    var reads = new RecordedReads();

    Decided decided = explained(reviewerReading(reads), "free");

    assertThat(decided.decision()).isInstanceOf(Allowed.class);
    assertThat(decided.facts().protections()).isNotEmpty();
    assertThat(reads.requests).isEmpty();
  }

  @Test
  void strictRulesAboutTheSameTargetAreStillListed() {
    land.create(REGIONS, "", "mixed", "");
    land.create(GATEWAYS, "", "gw-mixed", "mixed");

    land.assertRefused(
        REGIONS, "", "mixed", "cannot delete regions/mixed: still referenced by Gateway/gw-mixed");
  }

  /** A deletion that is tried before the index shows the reference may go ahead. */
  private static void awaitIndexedAnswers(String referenced) {
    FactGatherer reviewer = service.getBean(FactGatherer.class);
    await()
        .until(() -> {
          double before = indexedAnswers();
          return outcome(reviewer, referenced) == Outcome.DENIED && indexedAnswers() > before;
        });
  }

  /** As the service checks, with its rules and indexes. */
  private static FactGatherer reviewerReading(RecordedReads reads) {
    var paths = service.getBean(ProviderPaths.class);
    return new FactGatherer(
        service.getBean(RuleStore.class),
        paths,
        UnusedRegister.protection(
            new DependentLookup(
                cluster -> reads.of(land.workspaces.client(cluster)),
                service.getBean(ReferenceIndexes.class),
                Disclosures.unasked(),
                SystemTime.clock(),
                LookupListener.NONE)),
        new EligibilityChecker(
            cluster -> reads.of(land.workspaces.client(cluster)),
            export -> reads.of(land.workspaces.client(export.path())),
            paths,
            DependencyRule.GROUP,
            Duration.ZERO,
            SystemTime.steadyClock()),
        new BypassChecker(
            _ -> {
              throw new AssertionError("no rule wants a permission");
            },
            _ -> {
              throw new AssertionError("no rule wants a permission");
            },
            SystemTime.clock()),
        SystemTime.clock());
  }

  private static void refused(FactGatherer reviewer, String vpc) {
    assertThat(outcome(reviewer, vpc)).isEqualTo(Outcome.DENIED);
  }

  private static Outcome outcome(FactGatherer reviewer, String vpc) {
    return explained(reviewer, vpc).decision().outcome();
  }

  private static Decided explained(FactGatherer reviewer, String vpc) {
    var key = new ObjectKey(land.workspaces.cluster(land.consumer), "default", vpc);
    return reviewer.explain(
        new Target(GroupResource.of(VPCS), key),
        KubeObject.of(Map.of()),
        Optional.of(land.workspaces.cluster(land.network)));
  }

  private static double indexedAnswers() {
    return WebhookEnvironment.lookups(service, LookupMethod.INDEX);
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
