package dev.mooring.depwebhook.lookup;

import static dev.mooring.depwebhook.Fixtures.MACHINES;
import static dev.mooring.depwebhook.Fixtures.VPC;
import static dev.mooring.depwebhook.Fixtures.VPCS;
import static dev.mooring.depwebhook.Fixtures.enforced;
import static dev.mooring.depwebhook.Fixtures.machine;
import static dev.mooring.depwebhook.Fixtures.query;
import static dev.mooring.depwebhook.Fixtures.rule;
import static dev.mooring.depwebhook.Fixtures.vmNeedsVpc;
import static dev.mooring.depwebhook.Fixtures.vpc;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.mooring.depwebhook.Disclosures;
import dev.mooring.depwebhook.FakeWorkspace;
import dev.mooring.depwebhook.FakeWorkspace.Scope;
import dev.mooring.depwebhook.eligibility.RuleEligibility;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.index.IndexLimits;
import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.lookup.decide.DependentSearch;
import dev.mooring.depwebhook.lookup.decide.LookupResult;
import dev.mooring.depwebhook.lookup.decide.LookupResult.Found;
import dev.mooring.depwebhook.lookup.decide.Recording;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.Blocker;
import dev.mooring.model.dependency.Blockers;
import dev.mooring.model.dependency.Blockers.Search;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.time.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class DependentLookupTest {
  private static final String LASTING =
      "the dependency webhook cannot read all that may still refer to it until the platform's"
          + " operator corrects a rule or a permission";

  private final FakeWorkspace workspace = new FakeWorkspace();
  private final ManualTime time = new ManualTime();
  private final DependentLookup lookup =
      new DependentLookup(
          _ -> workspace,
          ReferenceIndexes.start(
              _ -> {
                throw new AssertionError("no rule wants an index");
              },
              IndexLimits.DEFAULT,
              time,
              time),
          Disclosures.unasked(),
          time,
          LookupListener.NONE);

  @Test
  void readsNothingAfterTheDeadline() {
    Deadline over = Deadline.none();
    over.expire();

    assertThatThrownBy(() -> lookup.findReferrers(within(over, VPC)))
        .isInstanceOf(KubeFailure.class);
    assertThat(workspace.requests).isEmpty();
    assertThat(Thread.currentThread().isInterrupted()).isFalse();
  }

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
  void asksForATypeWithoutNamespacesAsSuchOnceThatIsKnown() {
    workspace.serves(MACHINES, Scope.CLUSTER, machine("", "vm1", "net1"));
    lookup(VPC, vmNeedsVpc());
    workspace.requests.clear();

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(complete(new Blocker("VirtualMachine", "", "vm1")));

    assertThat(workspace.requests)
        .containsExactly("list virtualmachines.v1alpha1.compute.example.com in '' after ''");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "spec.vpcRef.name"})
  void findsOutWhereATypeHasComeToHaveNamespaces(String selectable) {
    workspace.serves(MACHINES, Scope.CLUSTER, machine("", "vm1", "net1")).selectsBy(selectable);
    lookup(VPC, vmNeedsVpc());
    workspace.serves(
        MACHINES,
        Scope.NAMESPACED,
        machine("default", "vm1", "net1"),
        machine("other", "vm2", "net1"));
    LookupResult before = lookup(VPC, vmNeedsVpc());
    workspace.requests.clear();

    assertThat(before)
        .as("what is in another namespace is no referrer")
        .isEqualTo(complete(new Blocker("VirtualMachine", "default", "vm1")));
    assertThat(lookup(VPC, vmNeedsVpc())).isEqualTo(before);
    assertThat(workspace.requests)
        .singleElement()
        .asString()
        .startsWith("list virtualmachines.v1alpha1.compute.example.com in 'default' after ''");
  }

  @Test
  void findsOutWhereATypeHasLostItsNamespaces() {
    workspace.serves(MACHINES, Scope.NAMESPACED, machine("default", "vm1", "net1"));
    lookup(VPC, vmNeedsVpc());
    workspace.serves(MACHINES, Scope.CLUSTER, machine("", "vm1", "net1"));

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(complete(new Blocker("VirtualMachine", "", "vm1")));
  }

  @Test
  void asksDiscoveryAgainWhereATypeWithoutNamespacesIsServedNoMore() {
    workspace.serves(MACHINES, Scope.CLUSTER, machine("", "vm1", "net1"));
    lookup(VPC, vmNeedsVpc());
    workspace.servesNoMore(MACHINES);
    workspace.requests.clear();

    assertThat(lookup(VPC, vmNeedsVpc())).isEqualTo(complete());
    assertThat(workspace.requests).contains("get apis/compute.example.com");
  }

  /** A shard that has just started answers so for some seconds. */
  @Test
  void aTypeThatABindingBringsIsNotAbsentBecauseItIsNotServed() {
    workspace.serves(
        Binding.TYPE,
        Scope.CLUSTER,
        KubeObject.of(
            Map.of(
                "metadata",
                Map.of("name", "compute"),
                "status",
                Map.of(
                    "boundResources",
                    List.of(Map.of("group", MACHINES.group(), "resource", MACHINES.resource()))))));

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isInstanceOfSatisfying(
            LookupResult.Incomplete.class,
            unknown ->
                assertThat(unknown.missing())
                    .endsWith(
                        "virtualmachines.compute.example.com is not served although APIBinding"
                            + " compute binds it: the shard may be starting, retry later"));
  }

  @ParameterizedTest
  @EnumSource(
      value = WorkspaceState.class,
      names = {"ABSENT", "UNKNOWN"})
  void anEmptyListCountsForNothingUnlessTheServerHasTheWorkspace(WorkspaceState state) {
    workspace.serves(MACHINES, Scope.NAMESPACED);

    assertThat(lookup(in(state), VPC, vmNeedsVpc()))
        .isInstanceOfSatisfying(
            LookupResult.Incomplete.class,
            unknown ->
                assertThat(unknown.missing())
                    .contains("the server does not say that it has logical cluster consumer1"));
  }

  @ParameterizedTest
  @EnumSource(
      value = WorkspaceState.class,
      names = {"ACTIVE", "TERMINATING", "FORBIDDEN"})
  void anEmptyListCountsWhereTheServerHasTheWorkspace(WorkspaceState state) {
    workspace.serves(MACHINES, Scope.NAMESPACED);

    assertThat(lookup(in(state), VPC, vmNeedsVpc())).isEqualTo(complete());
  }

  @Test
  void knowsNothingOfATypesScopeInAnotherVersion() {
    var v1 = new ResourceType("compute.example.com", "v1", "virtualmachines");
    workspace
        .serves(MACHINES, Scope.CLUSTER)
        .serves(v1, Scope.NAMESPACED, machine("other", "vm1", "net1"));
    lookup(VPC, vmNeedsVpc());
    workspace.requests.clear();

    assertThat(lookup(VPC, rule("v1", v1, "root:network", VPCS, ".spec.vpcRef.name")))
        .isEqualTo(complete());
    assertThat(wholeLists())
        .containsExactly("list virtualmachines.v1.compute.example.com in 'default' after ''");
  }

  @Test
  void aFailedListOfATypeWithoutNamespacesIsNotAbsence() {
    workspace.serves(MACHINES, Scope.CLUSTER);
    lookup(VPC, vmNeedsVpc());

    workspace.failsOnce(Kind.UNAVAILABLE, 503, "no");

    assertThat(lookup(VPC, vmNeedsVpc())).isInstanceOf(LookupResult.Incomplete.class);
  }

  @Test
  void takesATypeThatDiscoveryDoesNotKnowForAbsent() {
    assertThat(lookup(VPC, vmNeedsVpc())).isEqualTo(complete());
    assertThat(workspace.requests).contains("get apis/compute.example.com");
  }

  @ParameterizedTest
  @EnumSource(Scope.class)
  void findsWhatIsServedThoughDiscoveryDoesNotSaySoYet(Scope scope) {
    String namespace = scope == Scope.CLUSTER ? "" : "default";
    workspace.serves(MACHINES, scope, machine(namespace, "vm1", "net1"));
    workspace.hidesFromDiscovery(MACHINES);

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(complete(new Blocker("VirtualMachine", namespace, "vm1")));
  }

  @Test
  void doesNotKnowWhereARuleNamesAVersionThatIsNotServed() {
    var v1 = new ResourceType("compute.example.com", "v1", "virtualmachines");
    workspace.serves(v1, Scope.NAMESPACED, machine("default", "vm1", "net1"));

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(
            new LookupResult.Incomplete(
                "checking dependencies for rule compute1/vm-dependencies: listing"
                    + " virtualmachines.v1alpha1.compute.example.com: logical cluster consumer1"
                    + " serves it only as v1; correct the rule's spec.dependent.version",
                LASTING));
  }

  @Test
  void namesTheMissingPermission() {
    workspace.failsOnce(Kind.FORBIDDEN, 403, "GET virtualmachines: 403 access denied");

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(
            new LookupResult.Incomplete(
                "checking dependencies for rule compute1/vm-dependencies: listing"
                    + " virtualmachines.v1alpha1.compute.example.com: GET virtualmachines: 403"
                    + " access denied; let the webhook's user get and list"
                    + " virtualmachines.compute.example.com in logical cluster consumer1: the"
                    + " operator of the webhook has to add {apiGroups: [compute.example.com],"
                    + " resources: [virtualmachines]} to kcpManifests.dependents of the chart, and"
                    + " apply its manifests of place shard again in system:admin of every shard",
                LASTING));
  }

  @ParameterizedTest
  @CsvSource({"UNAVAILABLE, 503", "UNAUTHORIZED, 401", "UNAVAILABLE, 429"})
  void aFailedListIsNotAbsence(Kind kind, int code) {
    workspace.serves(MACHINES, Scope.NAMESPACED).failsOnce(kind, code, "no");

    assertThat(lookup(VPC, vmNeedsVpc())).isInstanceOf(LookupResult.Incomplete.class);
  }

  @Test
  void aWholeListThatTheServerCallsInvalidIsNotAbsence() {
    workspace
        .serves(MACHINES, Scope.NAMESPACED)
        .failsOnce(Kind.INVALID, 400, "no")
        .failsOnce(Kind.INVALID, 400, "no");

    assertThat(lookup(VPC, vmNeedsVpc())).isInstanceOf(LookupResult.Incomplete.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "field label not supported: spec.vpcRef.name",
        "\"spec.vpcRef.name\" is not a known field selector: only \"metadata.name\""
      })
  void readsTheWholeListHoweverAServerRefusesToSelect(String message) {
    workspace
        .serves(MACHINES, Scope.NAMESPACED, machine("default", "vm1", "net1"))
        .failsOnce(Kind.INVALID, 400, message);

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(complete(new Blocker("VirtualMachine", "default", "vm1")));
  }

  @Test
  void readsTheWholeListBeforeItFindsNothing() {
    workspace.serves(MACHINES, Scope.NAMESPACED, machines(1200, "net2"));

    assertThat(lookup(VPC, vmNeedsVpc())).isEqualTo(complete());
    assertThat(wholeLists()).hasSize(1);
    assertThat(workspace.taken).hasValue(1200);
  }

  @Test
  void findsTheOneReferrerAtTheEndOfTheList() {
    KubeObject[] machines = machines(1200, "net2");
    machines[1199] = machine("default", "last", "net1");
    workspace.serves(MACHINES, Scope.NAMESPACED, machines);

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(complete(new Blocker("VirtualMachine", "default", "last")));
  }

  @Test
  void refusesForWhatItKnowsThoughAnotherTypeCannotBeRead() {
    var disks = new ResourceType("storage.example.com", "v1", "disks");
    workspace
        .serves(MACHINES, Scope.NAMESPACED, machine("default", "vm1", "net1"))
        .serves(disks, Scope.NAMESPACED);
    var unserved = new ResourceType("storage.example.com", "v1alpha1", "disks");

    LookupResult lookup =
        lookup(
            VPC, vmNeedsVpc(), rule("disks", unserved, "root:network", VPCS, ".spec.vpcRef.name"));

    assertThat(lookup)
        .isInstanceOfSatisfying(
            LookupResult.Complete.class,
            found ->
                assertThat(found.of(Mode.DENY).blockers().denial(VPC))
                    .endsWith("still referenced by VirtualMachine/vm1 and more"));
  }

  @Test
  void stopsReadingOnceMoreWasFoundThanAMessageNames() {
    workspace.serves(MACHINES, Scope.NAMESPACED, machines(9000, "net1"));

    LookupResult lookup = lookup(VPC, vmNeedsVpc());

    assertThat(wholeLists()).hasSize(1);
    assertThat(workspace.taken).hasValueLessThan(200);
    assertThat(lookup)
        .isInstanceOfSatisfying(
            LookupResult.Complete.class,
            found -> {
              assertThat(found.of(Mode.DENY).blockers().search()).isEqualTo(Search.STOPPED_EARLY);
              assertThat(found.of(Mode.DENY).blockers().denial(VPC))
                  .endsWith("VirtualMachine/vm00009 and more");
            });
  }

  @Test
  void listsATypeOnceForAllRulesAndFields() {
    workspace.serves(MACHINES, Scope.NAMESPACED, machine("default", "vm1", "net1"));

    lookup(VPC, vmNeedsVpc(), rule("two", MACHINES, "root:network", VPCS, ".spec.peer.name"));

    assertThat(wholeLists()).hasSize(1);
  }

  @Test
  void deletionsThatAreJudgedAtOnceShareAListThatBeganAfterThem() throws Exception {
    workspace.serves(
        MACHINES,
        Scope.NAMESPACED,
        machine("default", "vm1", "net1"),
        machine("default", "vm2", "net2"));
    // The first one learns that this server does not select by field.
    lookup(VPC, vmNeedsVpc());
    workspace.requests.clear();
    Runnable release = workspace.holdsTheNextList();
    FutureTask<LookupResult> first = begin(vpc("default", "net3"));
    await().until(() -> wholeLists().size() == 1);
    List<FutureTask<LookupResult>> together =
        List.of(begin(vpc("default", "net1")), begin(vpc("default", "net2")));
    // What comes while the first list is read, it need not show.
    workspace.serves(
        MACHINES,
        Scope.NAMESPACED,
        machine("default", "vm1", "net1"),
        machine("default", "vm3", "net2"));

    release.run();

    assertThat(first.get()).isEqualTo(complete());
    assertThat(together.getFirst().get())
        .isEqualTo(complete(new Blocker("VirtualMachine", "default", "vm1")));
    assertThat(together.getLast().get())
        .isEqualTo(complete(new Blocker("VirtualMachine", "default", "vm3")));
    assertThat(wholeLists()).hasSize(2);
  }

  @Test
  void readsOnAsLongAsAMessageCanNameThemAll() {
    KubeObject[] machines = machines(1200, "net2");
    machines[0] = machine("default", "first", "net1");
    machines[1199] = machine("default", "last", "net1");
    workspace.serves(MACHINES, Scope.NAMESPACED, machines);

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(
            complete(
                new Blocker("VirtualMachine", "default", "first"),
                new Blocker("VirtualMachine", "default", "last")));
  }

  @Test
  void letsAServerSelectWhereItCan() {
    workspace
        .serves(
            MACHINES,
            Scope.NAMESPACED,
            machine("default", "vm1", "net1"),
            machine("default", "vm2", "net2"))
        .selectsBy("spec.vpcRef.name");

    assertThat(lookup(VPC, vmNeedsVpc()))
        .isEqualTo(complete(new Blocker("VirtualMachine", "default", "vm1")));
    assertThat(workspace.requests)
        .containsExactly(
            "list virtualmachines.v1alpha1.compute.example.com in 'default' after '' where"
                + " spec.vpcRef.name=net1");
  }

  @Test
  void countsAnObjectOnceThatTwoSelectorsFind() {
    KubeObject both = machine("default", "vm1", "net1").with("net1", "spec", "peer", "name");
    workspace
        .serves(MACHINES, Scope.NAMESPACED, both, machine("default", "vm2", "net1"))
        .selectsBy("spec.vpcRef.name", "spec.peer.name");

    LookupResult found =
        lookup(VPC, vmNeedsVpc(), rule("two", MACHINES, "root:network", VPCS, ".spec.peer.name"));

    assertThat(((LookupResult.Complete) found).of(Mode.DENY).blockers().denial(VPC))
        .isEqualTo(
            "cannot delete vpcs/net1: still referenced by VirtualMachine/vm1, VirtualMachine/vm2");
    assertThat(wholeLists()).isEmpty();
  }

  @Test
  void asksAServerThatDoesNotSelectOnlyFromTimeToTime() {
    workspace.serves(MACHINES, Scope.NAMESPACED);

    lookup(VPC, vmNeedsVpc());
    lookup(VPC, vmNeedsVpc());
    assertThat(workspace.requests).filteredOn(r -> r.contains(" where ")).hasSize(1);

    time.advance(DependentLister.SELECTOR_RETRY);
    lookup(VPC, vmNeedsVpc());
    assertThat(workspace.requests).filteredOn(r -> r.contains(" where ")).hasSize(2);
    assertThat(wholeLists()).hasSize(3);
  }

  @Test
  void aRuleWithoutStandingKeepsNothing() {
    workspace.serves(MACHINES, Scope.NAMESPACED, machine("default", "vm1", "net1"));

    assertThat(lookup(_ -> false, VPC, vmNeedsVpc())).isEqualTo(complete());
  }

  @Test
  void anIneligibleRuleDeniesNothingWhereItsDependentsCannotBeRead() {
    workspace.failsOnce(Kind.FORBIDDEN, 403, "no");

    assertThat(lookup(_ -> false, VPC, vmNeedsVpc())).isEqualTo(complete());
  }

  @Test
  void standingIsAskedOnlyOnceSomethingWasFound() {
    workspace.serves(MACHINES, Scope.NAMESPACED, machine("default", "vm1", "net2"));

    lookup(
        _ -> {
          throw new AssertionError("nothing was found");
        },
        VPC,
        vmNeedsVpc());
  }

  @Test
  void readsOnPastReferrersOfRulesWithoutStanding() {
    KubeObject[] machines = machines(1200, "net1");
    machines[1199] = machine("default", "last", "net2").with("net1", "spec", "peer", "name");
    workspace.serves(MACHINES, Scope.NAMESPACED, machines);
    DependencyRule good = rule("good", MACHINES, "root:network", VPCS, ".spec.peer.name");

    LookupResult found = lookup(p -> p.rule().key().name().equals("good"), VPC, vmNeedsVpc(), good);

    assertThat(((LookupResult.Complete) found).of(Mode.DENY).blockers().named())
        .containsExactly(new Blocker("VirtualMachine", "default", "last"));
  }

  @Test
  void tellsModesApartAndCountsAnObjectUnderItsGravest() {
    DependencyRule warns = vmNeedsVpc().with(enforced(Mode.WARN, Consistency.STRICT));
    DependencyRule denies = rule("denies", MACHINES, "root:network", VPCS, ".spec.peer.name");
    workspace.serves(
        MACHINES,
        Scope.NAMESPACED,
        machine("default", "both", "net1").with("net1", "spec", "peer", "name"),
        machine("default", "mild", "net1"));

    var found = (LookupResult.Complete) lookup(VPC, warns, denies);

    assertThat(found.of(Mode.DENY).blockers().named())
        .extracting(Blocker::name)
        .containsExactly("both");
    assertThat(found.of(Mode.WARN).blockers().named())
        .extracting(Blocker::name)
        .containsExactly("mild");
  }

  @Test
  void namesTenOfFiveHundredRulesWhoseDependentsCannotBeRead() {
    workspace.failsOnce(Kind.FORBIDDEN, 403, "no");
    DependencyRule[] rules =
        IntStream.range(100, 600)
            .mapToObj(i -> rule("rule-" + i, MACHINES, "root:network", VPCS, ".spec.vpcRef.name"))
            .toArray(DependencyRule[]::new);

    assertThat(lookup(VPC, rules))
        .isInstanceOfSatisfying(
            LookupResult.Incomplete.class,
            unknown ->
                assertThat(unknown.missing())
                    .contains("compute1/rule-100, ", "compute1/rule-109, and 490 more: listing")
                    .doesNotContain("rule-110"));
  }

  @Test
  void whatAWarningRuleCannotReadIsSaidAndKeepsNothing() {
    workspace.failsOnce(Kind.FORBIDDEN, 403, "no");

    var found =
        (LookupResult.Complete)
            lookup(VPC, vmNeedsVpc().with(enforced(Mode.WARN, Consistency.STRICT)));

    assertThat(found.found()).isEmpty();
    assertThat(found.unchecked()).singleElement().asString().contains("listing virtualmachines");
  }

  @Test
  void holdsNoMoreReferrersThanAMessageNames() {
    var referrers = new Referrers();
    DependentSearch search =
        DependentSearch.forAll(RuleIndex.of(List.of(vmNeedsVpc())).about(GroupResource.of(VPCS)))
            .getFirst();

    for (KubeObject machine : machines(9000, "net1")) {
      referrers.add(search, machine);
    }

    Blockers blockers = referrers.found(Search.COMPLETE).blockers();
    assertThat(blockers.named()).hasSize(Blockers.NAMED_MAX);
    assertThat(blockers.denial(VPC)).endsWith("VirtualMachine/vm00009 and 8990 more");
  }

  /** Returns once its read has joined others: then it asks how long it may wait for an answer. */
  private FutureTask<LookupResult> begin(Target target) {
    var joined = new AtomicBoolean();
    InstantSource clock =
        () -> {
          joined.compareAndSet(false, Thread.currentThread().getName().equals("read"));
          return Instant.EPOCH;
        };
    DeletionQuery query = within(new Deadline(clock, Duration.ofDays(1)), target);
    var task = new FutureTask<>(() -> lookup.findReferrers(query));
    Thread.ofPlatform().daemon().start(task);
    await().untilTrue(joined);
    return task;
  }

  private static DeletionQuery within(Deadline deadline, Target target) {
    return new DeletionQuery(
        target,
        "u",
        Recording.RECORDED,
        RuleIndex.of(List.of(vmNeedsVpc())).about(GroupResource.of(VPCS)),
        RuleEligibility.EVERY,
        Optional.empty(),
        deadline,
        Optional.empty());
  }

  private List<String> wholeLists() {
    return workspace.requests.stream()
        .filter(request -> request.startsWith("list ") && !request.contains(" where "))
        .toList();
  }

  private LookupResult lookup(Target target, DependencyRule... rules) {
    return lookup(RuleEligibility.EVERY, target, rules);
  }

  private LookupResult lookup(RuleEligibility eligibility, Target target, DependencyRule... rules) {
    var protections = RuleIndex.of(List.of(rules)).about(GroupResource.of(VPCS));
    return lookup.findReferrers(query(target, protections, eligibility));
  }

  /** Every rule counts, in a workspace in this state. */
  private static RuleEligibility in(WorkspaceState state) {
    return new RuleEligibility() {
      @Override
      public boolean isEligible(MatchedRule protection) {
        return true;
      }

      @Override
      public WorkspaceState workspace() {
        return state;
      }
    };
  }

  private static LookupResult complete(Blocker... blockers) {
    return blockers.length == 0
        ? new LookupResult.Complete(Map.of(), List.of())
        : new LookupResult.Complete(
            Map.of(
                Mode.DENY,
                new Found(
                    Blockers.of(List.of(blockers), Search.COMPLETE),
                    List.of("compute1/vm-dependencies"),
                    List.of())),
            List.of());
  }

  private static KubeObject[] machines(int count, String vpc) {
    return IntStream.range(0, count)
        .mapToObj(i -> machine("default", "vm%05d".formatted(i), vpc))
        .toArray(KubeObject[]::new);
  }
}
