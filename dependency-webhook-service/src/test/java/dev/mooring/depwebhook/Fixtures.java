package dev.mooring.depwebhook;

import dev.mooring.depwebhook.admission.Review;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.admission.decide.DeletionFacts;
import dev.mooring.depwebhook.admission.decide.DeletionPolicy;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.lookup.DeletionQuery;
import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRule.Dependency;
import dev.mooring.model.dependency.DependencyRule.Dependent;
import dev.mooring.model.dependency.DependencyRule.ExportReference;
import dev.mooring.model.dependency.Enforcement;
import dev.mooring.model.dependency.FieldPath;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.RaceProtection;
import dev.mooring.model.dependency.ReferenceField;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.dependency.WhileTerminating;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.Caller;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** VPCs of one provider, virtual machines of another that refer to them, one consumer. */
public final class Fixtures {
  public static final LogicalCluster CONSUMER = new LogicalCluster("consumer1");
  public static final ResourceType MACHINES =
      new ResourceType("compute.example.com", "v1alpha1", "virtualmachines");
  public static final ResourceType VPCS =
      new ResourceType("network.example.com", "v1alpha1", "vpcs");
  public static final Target VPC = vpc("default", "net1");

  private Fixtures() {}

  /** Of {@link #VPC} by a user, in a review whose URL names this provider. */
  public static Review.Deletion deletion(KubeObject vpc, Optional<LogicalCluster> provider) {
    return new Review.Deletion(
        "r-1",
        VPC,
        vpc,
        new Caller("alice", "", List.of(), Map.of()),
        provider,
        Recording.RECORDED);
  }

  /** From facts that are enough. */
  public static AdmissionDecision decided(DeletionFacts facts) {
    return ((DeletionPolicy.Decided) DeletionPolicy.nextStep(facts)).decision();
  }

  public static Target vpc(String namespace, String name) {
    return new Target(GroupResource.of(VPCS), new ObjectKey(CONSUMER, namespace, name));
  }

  /** Virtual machines refer to VPCs of {@code root:network}. */
  public static DependencyRule vmNeedsVpc() {
    return rule("vm-dependencies", MACHINES, "root:network", VPCS, ".spec.vpcRef.name");
  }

  public static DependencyRule rule(
      String name, ResourceType dependent, String path, ResourceType target, String field) {
    return new DependencyRule(
        new ObjectKey(new LogicalCluster("compute1"), "", name),
        1,
        new Dependent("compute.example.com", dependent, "VirtualMachine"),
        List.of(
            new Dependency(
                new ExportReference(new WorkspacePath(path), "network.example.com"),
                target,
                new FieldPath(field))));
  }

  /** Virtual machines refer to VPCs as an expression says. */
  public static DependencyRule computed(String name, String expression) {
    return rule(name, MACHINES, ReferenceField.Computed.compile(expression));
  }

  /** Dependents refer to VPCs as the field says. */
  public static DependencyRule rule(String name, ResourceType dependent, ReferenceField field) {
    return new DependencyRule(
        new ObjectKey(new LogicalCluster("compute1"), "", name),
        1,
        new Dependent("compute.example.com", dependent, "VirtualMachine"),
        List.of(
            new Dependency(
                new ExportReference(new WorkspacePath("root:network"), "network.example.com"),
                VPCS,
                field,
                false)));
  }

  public static Enforcement enforced(Mode mode, Consistency consistency) {
    return new Enforcement(
        mode, WhileTerminating.BLOCK, Bypass.ANNOTATION, consistency, RaceProtection.NONE);
  }

  /** A virtual machine that refers to a VPC. */
  public static KubeObject machine(String namespace, String name, String vpc) {
    var metadata =
        namespace.isEmpty() ? Map.of("name", name) : Map.of("name", name, "namespace", namespace);
    return KubeObject.of(
        Map.of("metadata", metadata, "spec", Map.of("vpcRef", Map.of("name", vpc))));
  }

  /**
   * A provider's binding of rules, and what it says of the permission claim: {@code Accepted} or
   * {@code Rejected}.
   */
  public static KubeObject consent(String state) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", DependencyRule.GROUP),
            "spec",
            Map.of(
                "reference",
                Map.of("export", Map.of("name", DependencyRule.GROUP)),
                "permissionClaims",
                List.of(
                    Map.of(
                        "group", "admissionregistration.k8s.io",
                        "resource", "validatingwebhookconfigurations",
                        "state", state)))));
  }

  /** What the operator would ask about a deletion. */
  public static DeletionQuery query(
      Target target, List<MatchedRule> protections, RuleEligibility eligibility) {
    return new DeletionQuery(
        target,
        "u-" + target.key().name(),
        Recording.RECORDED,
        protections,
        eligibility,
        Optional.empty(),
        Deadline.none(),
        Optional.empty());
  }
}
