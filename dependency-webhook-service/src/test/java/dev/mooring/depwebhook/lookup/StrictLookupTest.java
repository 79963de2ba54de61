package dev.mooring.depwebhook.lookup;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.rule;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static dev.mooring.depwebhook.Fixtures.vpc;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.FakeWorkspace;
import dev.mooring.depwebhook.FakeWorkspace.Scope;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.Lookup;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure.Kind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StrictLookupTest {
  private final FakeWorkspace workspace = new FakeWorkspace();

  @Test
  void findsReferrersInTheNamespaceOfANamespacedTarget() {
    workspace.serves(
        MACHINES,
        Scope.NAMESPACED,
        machine("default", "vm1", "net1"),
        machine("default", "vm2", "net2"),
        machine("other", "vm3", "net1"));

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(complete(new Blocker("VirtualMachine", "default", "vm1")));
  }

  @Test
  void findsReferrersEverywhereForAClusterScopedTarget() {
    workspace.serves(
        MACHINES, Scope.NAMESPACED, machine("a", "vm1", "net1"), machine("b", "vm1", "net1"));

    assertThat(lookup(vpc("", "net1"), vmNeedsVpc()))
        .isEqualTo(
            complete(
                new Blocker("VirtualMachine", "a", "vm1"),
                new Blocker("VirtualMachine", "b", "vm1")));
  }

  @ParameterizedTest
  @CsvSource({"default", "''"})
  void findsClusterScopedReferrersOfTargetsOfEitherScope(String namespace) {
    workspace.serves(MACHINES, Scope.CLUSTER, machine("", "vm1", "net1"));

    assertThat(lookup(vpc(namespace, "net1"), vmNeedsVpc()))
        .isEqualTo(complete(new Blocker("VirtualMachine", "", "vm1")));
  }

  @Test
  void takesATypeThatDiscoveryDoesNotKnowForAbsent() {
    assertThat(lookup(VPC, vmNeedsVpc())).isEqualTo(complete());
    assertThat(workspace.requests).contains("get apis/compute.example.com");
  }

  @Test
  void doesNotKnowWhereARuleNamesAVersionThatIsNotServed() {
    var v1 = new ResourceType("compute.example.com", "v1", "virtualmachines");
    workspace.serves(v1, Scope.NAMESPACED, machine("default", "vm1", "net1"));

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(
            new Lookup.Incomplete(
                "checking dependencies for rule compute1/vm-dependencies: listing"
                    + " virtualmachines.v1alpha1.compute.example.com: logical cluster consumer1"
                    + " serves it only as v1; correct the rule's spec.dependent.version"));
  }

  @Test
  void namesTheMissingPermission() {
    workspace.failsOnce(Kind.FORBIDDEN, 403, "GET virtualmachines: 403 access denied");

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(
            new Lookup.Incomplete(
                "checking dependencies for rule compute1/vm-dependencies: listing"
                    + " virtualmachines.v1alpha1.compute.example.com: GET virtualmachines: 403"
                    + " access denied; let the webhook's user get and list"
                    + " virtualmachines.compute.example.com in logical cluster consumer1 (usually"
                    + " by a ClusterRoleBinding in every shard's system:admin)"));
  }

  @ParameterizedTest
  @CsvSource({"UNAVAILABLE, 503", "UNAUTHORIZED, 401", "UNAVAILABLE, 429", "INVALID, 400"})
  void aFailedListIsNotAbsence(Kind kind, int code) {
    workspace.serves(MACHINES, Scope.NAMESPACED).failsOnce(kind, code, "no");

    assertThat(lookup(VPC, vmNeedsVpc())).isInstanceOf(Lookup.Incomplete.class);
  }

  @Test
  void startsOverWhenAListExpires() {
    workspace
        .serves(MACHINES, Scope.NAMESPACED, machine("default", "vm1", "net1"))
        .failsOnce(Kind.GONE, 410, "expired");

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(complete(new Blocker("VirtualMachine", "default", "vm1")));
  }

  @Test
  void givesUpOnAListThatKeepsExpiring() {
    workspace.serves(MACHINES, Scope.NAMESPACED);
    for (int i = 0; i <= StrictLookup.RESTARTS_MAX; i++) {
      workspace.failsOnce(Kind.GONE, 410, "expired");
    }

    assertThat(lookup(VPC, vmNeedsVpc())).isInstanceOf(Lookup.Incomplete.class);
    assertThat(workspace.requests).hasSize(StrictLookup.RESTARTS_MAX + 1);
  }

  @Test
  void readsEveryPageBeforeItFindsNothing() {
    workspace.serves(MACHINES, Scope.NAMESPACED, machines(1200, "net2"));

    assertThat(lookup(VPC, vmNeedsVpc())).isEqualTo(complete());
    assertThat(workspace.requests).hasSize(3);
  }

  @Test
  void findsTheOneReferrerOnTheLastPage() {
    KubeObject[] machines = machines(1200, "net2");
    machines[1199] = machine("default", "last", "net1");
    workspace.serves(MACHINES, Scope.NAMESPACED, machines);

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(complete(new Blocker("VirtualMachine", "default", "last")));
  }

  @Test
  void stopsReadingOnceMoreWasFoundThanAMessageNames() {
    workspace.serves(MACHINES, Scope.NAMESPACED, machines(9000, "net1"));

    Lookup lookup = lookup(VPC, vmNeedsVpc());

    assertThat(workspace.requests).hasSize(1);
    assertThat(lookup)
        .isInstanceOfSatisfying(
            Lookup.Complete.class,
            found -> {
              assertThat(found.blockers().search()).isEqualTo(Search.STOPPED_EARLY);
              assertThat(found.blockers().denial(VPC)).endsWith("VirtualMachine/vm00009 and more");
            });
  }

  @Test
  void listsATypeOnceForAllRulesAndFields() {
    workspace.serves(MACHINES, Scope.NAMESPACED, machine("default", "vm1", "net1"));

    lookup(VPC, vmNeedsVpc(), rule("two", MACHINES, "root:network", VPCS, ".spec.peer.name"));

    assertThat(workspace.requests).hasSize(1);
  }

  private Lookup lookup(Target target, DependencyRule... rules) {
    var protections = RuleIndex.of(List.of(rules)).about(GroupResource.of(VPCS));
    return new StrictLookup(_ -> workspace).referrers(target, DependentSearch.forAll(protections));
  }

  private static Lookup complete(Blocker... blockers) {
    return new Lookup.Complete(Blockers.of(List.of(blockers), Search.COMPLETE));
  }

  private static KubeObject[] machines(int count, String vpc) {
    return IntStream.range(0, count)
        .mapToObj(i -> machine("default", "vm%05d".formatted(i), vpc))
        .toArray(KubeObject[]::new);
  }
}
