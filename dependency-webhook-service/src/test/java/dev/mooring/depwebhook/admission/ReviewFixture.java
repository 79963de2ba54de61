package dev.mooring.depwebhook.admission;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.consent;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;

import dev.mooring.depwebhook.Disclosures;
import dev.mooring.depwebhook.FakeWorkspace;
import dev.mooring.depwebhook.FakeWorkspace.Scope;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.eligibility.EligibilityChecker;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.index.IndexLimits;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.DependentLookup;
import dev.mooring.depwebhook.lookup.LookupListener;
import dev.mooring.depwebhook.race.UnusedRegister;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.time.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A handler by one rule, machines need VPCs, in a workspace where vm1 needs net1. */
final class ReviewFixture {
  static final String UID = "32e10c68-a69f-4efd-86cf-58b409a8761a";
  static final Map<String, Object> VPC =
      Map.of(
          "name", "net1",
          "namespace", "default",
          "annotations", Map.of("kcp.io/cluster", "consumer1"));

  final FakeWorkspace workspace =
      new FakeWorkspace().serves(MACHINES, Scope.NAMESPACED, machine("default", "vm1", "net1"));
  final FakeWorkspace provider =
      new FakeWorkspace()
          .serves(
              ExportFacts.TYPE,
              Scope.CLUSTER,
              export("compute.example.com", "virtualmachines"),
              export("network.example.com", "vpcs"))
          .serves(
              Binding.TYPE,
              Scope.CLUSTER,
              binding("compute1", "compute.example.com", "virtualmachines"),
              binding("network1", "network.example.com", "vpcs"),
              consent("Accepted"));
  final List<AdmissionDecision> heard = new ArrayList<>();
  RuleSource rules = () -> new Rules.Loaded<>(RuleIndex.of(List.of(vmNeedsVpc())));

  ReviewHandler handler() {
    return handler(UnusedRegister.references(() -> rules.current()));
  }

  ReviewHandler handler(ReferenceGate references) {
    return new ReviewHandler(gatherer(), references, List.of((_, decision) -> heard.add(decision)));
  }

  FactGatherer gatherer() {
    var unreadable =
        new ProviderPaths(_ -> {
          throw new IllegalArgumentException("no such cluster");
        });
    var time = new ManualTime();
    var indexes =
        ReferenceIndexes.start(
            _ -> {
              throw new AssertionError("no rule wants an index");
            },
            IndexLimits.DEFAULT,
            time,
            time);
    return new FactGatherer(
        () -> rules.current(),
        unreadable,
        UnusedRegister.protection(
            new DependentLookup(
                _ -> workspace, indexes, Disclosures.everything(), time, LookupListener.NONE)),
        new EligibilityChecker(
            _ -> provider, _ -> provider, unreadable, DependencyRule.GROUP, Duration.ZERO, time),
        new BypassChecker(
            _ -> {
              throw new AssertionError("no rule wants a permission");
            },
            _ -> {
              throw new AssertionError("no rule wants a permission");
            },
            time),
        time);
  }

  /** A review as an API server sends it. */
  static KubeObject deletion(String name, Map<String, Object> metadata) {
    var request = new HashMap<String, Object>();
    request.put("uid", UID);
    request.put(
        "resource",
        Map.of("group", "network.example.com", "version", "v1alpha1", "resource", "vpcs"));
    request.put("operation", "DELETE");
    request.put("userInfo", Map.of("username", "alice", "groups", List.of()));
    request.put("object", null);
    request.put("oldObject", Map.of("kind", "VPC", "metadata", metadata));
    if (!name.isEmpty()) {
      request.put("name", name);
    }
    return KubeObject.of(
        Map.of("apiVersion", "admission.k8s.io/v1", "kind", "AdmissionReview", "request", request));
  }

  private static KubeObject export(String group, String resource) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", group),
            "spec",
            Map.of("resources", List.of(Map.of("group", group, "name", resource)))));
  }

  private static KubeObject binding(String exporter, String group, String resource) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", group),
            "spec",
            Map.of("reference", Map.of("export", Map.of("name", group))),
            "status",
            Map.of(
                "apiExportClusterName",
                exporter,
                "boundResources",
                List.of(Map.of("group", group, "resource", resource)))));
  }
}
