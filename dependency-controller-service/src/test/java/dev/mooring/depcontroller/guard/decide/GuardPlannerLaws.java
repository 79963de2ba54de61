package dev.mooring.depcontroller.guard.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.decide.GuardPlan.Create;
import dev.mooring.depcontroller.guard.decide.GuardPlan.InSync;
import dev.mooring.depcontroller.guard.decide.GuardPlan.Remove;
import dev.mooring.depcontroller.guard.decide.GuardPlan.Replace;
import dev.mooring.depcontroller.guard.decide.GuardSettings.Bypass;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.guard.decide.ProtectedResources.Certainty;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every set of wanted resources × every configuration that may be there (none; ours for every set,
 * with these settings or others) × whether more may be wanted.
 */
class GuardPlannerLaws {
  private static final LogicalCluster PROVIDER = new LogicalCluster("network1");
  private static final List<GroupResource> RESOURCES =
      List.of(
          new GroupResource("network.example.com", "vpcs"),
          new GroupResource("network.example.com", "subnets"),
          new GroupResource("dns.example.com", "zones"));
  private static final GuardSettings SETTINGS = settings("https://hook:9443/validate", "Q0E=");

  static Stream<Arguments> states() {
    var actual = new ArrayList<Optional<KubeObject>>();
    actual.add(Optional.empty());
    for (SortedSet<GroupResource> set : subsets()) {
      if (!set.isEmpty()) {
        actual.add(Optional.of(stored(SETTINGS, set)));
        actual.add(Optional.of(stored(settings("https://old:9443/validate", "Q0E="), set)));
        actual.add(Optional.of(stored(settings("https://hook:9443/validate", "T0xE"), set)));
      }
    }
    return subsets().stream()
        .flatMap(wanted ->
            Stream.of(Certainty.values())
                .map(certainty -> new ProtectedResources(wanted, certainty)))
        .flatMap(wanted -> actual.stream().map(found -> Arguments.of(wanted, found)));
  }

  @ParameterizedTest
  @MethodSource("states")
  void protectsEverythingThatIsWanted(ProtectedResources wanted, Optional<KubeObject> actual) {
    assertThat(protectedAfter(plan(wanted, actual), actual)).containsAll(wanted.resources());
  }

  @ParameterizedTest
  @MethodSource("states")
  void neverShrinksWhileMoreMayBeWanted(ProtectedResources wanted, Optional<KubeObject> actual) {
    SortedSet<GroupResource> before = actual.map(GuardShape::protectedBy).orElseGet(TreeSet::new);

    SortedSet<GroupResource> after = protectedAfter(plan(wanted, actual), actual);

    switch (wanted.certainty()) {
      case MAY_BE_MORE -> assertThat(after).containsAll(before);
      case ALL_KNOWN -> assertThat(after).isEqualTo(wanted.resources());
    }
  }

  @ParameterizedTest
  @MethodSource("states")
  void settlesAfterOneWrite(ProtectedResources wanted, Optional<KubeObject> actual) {
    Optional<KubeObject> after = executed(plan(wanted, actual), actual);

    assertThat(plan(wanted, after)).isEqualTo(new InSync());
  }

  @ParameterizedTest
  @MethodSource("states")
  void everyWriteCarriesItsPrecondition(ProtectedResources wanted, Optional<KubeObject> actual) {
    switch (plan(wanted, actual)) {
      case InSync() -> assertThat(protectedAfter(new InSync(), actual)).isNotNull();
      case Create(var created) -> {
        assertThat(actual).isEmpty();
        assertThat(created.resourceVersion()).isEmpty();
      }
      case Replace(var replaced) -> {
        assertThat(replaced.resourceVersion()).isEqualTo("7");
        assertThat(replaced.labels()).containsEntry("kept", "yes");
      }
      case Remove(var uid, var version) -> {
        assertThat(uid).isEqualTo("u1");
        assertThat(version).isEqualTo("7");
      }
    }
  }

  private static GuardPlan plan(ProtectedResources wanted, Optional<KubeObject> actual) {
    return GuardPlanner.plan(PROVIDER, wanted, SETTINGS, actual);
  }

  private static Optional<KubeObject> executed(GuardPlan plan, Optional<KubeObject> actual) {
    return switch (plan) {
      case InSync() -> actual;
      case Create(var created) -> Optional.of(created);
      case Replace(var replaced) -> Optional.of(replaced);
      case Remove(_, _) -> Optional.empty();
    };
  }

  private static SortedSet<GroupResource> protectedAfter(
      GuardPlan plan, Optional<KubeObject> actual) {
    return executed(plan, actual).map(GuardShape::protectedBy).orElseGet(TreeSet::new);
  }

  private static KubeObject stored(GuardSettings settings, SortedSet<GroupResource> resources) {
    return GuardShape.configuration(GuardShape.webhooks(settings, PROVIDER, resources))
        .with("u1", "metadata", "uid")
        .with("7", "metadata", "resourceVersion")
        .with("yes", "metadata", "labels", "kept");
  }

  private static List<SortedSet<GroupResource>> subsets() {
    var subsets = new ArrayList<SortedSet<GroupResource>>();
    for (int bits = 0; bits < 1 << RESOURCES.size(); bits++) {
      var subset = new TreeSet<GroupResource>();
      for (int i = 0; i < RESOURCES.size(); i++) {
        if ((bits & 1 << i) != 0) {
          subset.add(RESOURCES.get(i));
        }
      }
      subsets.add(subset);
    }
    return subsets;
  }

  private static GuardSettings settings(String url, String ca) {
    return new GuardSettings(
        url, ca, FailurePolicy.FAIL, Duration.ofSeconds(10), Bypass.ANNOTATION);
  }
}
