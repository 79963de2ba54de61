package dev.mooring.depcontroller.guard.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.decide.DeletionGuard.Force;
import dev.mooring.depcontroller.guard.decide.GuardPlan.Create;
import dev.mooring.depcontroller.guard.decide.GuardPlan.InSync;
import dev.mooring.depcontroller.guard.decide.GuardPlan.Remove;
import dev.mooring.depcontroller.guard.decide.GuardPlan.Replace;
import dev.mooring.depcontroller.guard.decide.GuardSettings.FailurePolicy;
import dev.mooring.depcontroller.guard.decide.ProtectedResources.Certainty;
import dev.mooring.model.dependency.Bypass;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.RaceProtection;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every coverage that may be wanted × every configuration that may be there (none; ours for every
 * coverage, with these settings or others) × whether more may be wanted. A coverage guards one
 * resource not at all, without force, as annotations allow, or as the webhook permits with the race
 * register; another one not at all or as annotations allow; and reviews references of nothing, of a
 * third one, or of that one with its status and of the second.
 */
class GuardPlannerLaws {
  private static final LogicalCluster PROVIDER = new LogicalCluster("network1");
  private static final List<GroupResource> RESOURCES =
      List.of(
          new GroupResource("network.example.com", "vpcs"),
          new GroupResource("dns.example.com", "zones"));
  private static final ResourceType DEPENDENT =
      new ResourceType("network.example.com", "v1", "subnets");
  private static final List<Map<ResourceType, ReferenceGuard>> REVIEWED =
      List.of(
          Map.of(),
          Map.of(DEPENDENT, ReferenceGuard.OBJECT),
          Map.of(
              DEPENDENT,
              ReferenceGuard.OBJECT_AND_STATUS,
              new ResourceType("dns.example.com", "v1", "zones"),
              ReferenceGuard.OBJECT));
  private static final GuardSettings SETTINGS = settings("https://hook:9443/validate", "Q0E=");

  static Stream<Arguments> states() {
    var actual = new ArrayList<Optional<KubeObject>>();
    actual.add(Optional.empty());
    for (Coverage set : coverages()) {
      if (!set.isEmpty()) {
        actual.add(Optional.of(stored(SETTINGS, set)));
        actual.add(Optional.of(stored(settings("https://old:9443/validate", "T0xE"), set)));
      }
    }
    return coverages().stream()
        .flatMap(wanted ->
            Stream.of(Certainty.values())
                .map(certainty -> new ProtectedResources(wanted, certainty)))
        .flatMap(wanted -> actual.stream().map(found -> Arguments.of(wanted, found)));
  }

  @ParameterizedTest
  @MethodSource("states")
  void protectsEverythingThatIsWanted(ProtectedResources wanted, Optional<KubeObject> actual) {
    Coverage after = coveredAfter(plan(wanted, actual), actual);

    assertThat(after.and(wanted.coverage())).isEqualTo(after);
  }

  @ParameterizedTest
  @MethodSource("states")
  void neverShrinksWhileMoreMayBeWanted(ProtectedResources wanted, Optional<KubeObject> actual) {
    Coverage before = actual.map(GuardShape::coveredBy).orElse(Coverage.NONE);

    Coverage after = coveredAfter(plan(wanted, actual), actual);

    switch (wanted.certainty()) {
      case MAY_BE_MORE -> assertThat(after.and(before)).isEqualTo(after);
      case ALL_KNOWN -> assertThat(after).isEqualTo(wanted.coverage());
    }
  }

  @ParameterizedTest
  @MethodSource("states")
  void auditsExactlyWhatAnnotationsLetGo(ProtectedResources wanted, Optional<KubeObject> actual) {
    Optional<KubeObject> after = executed(plan(wanted, actual), actual);

    var annotated =
        new TreeMap<>(after.map(GuardShape::coveredBy).orElse(Coverage.NONE).deletions());
    annotated
        .values()
        .removeIf(guard -> guard.force() != Force.BINDING || guard.bypass() != Bypass.ANNOTATION);
    assertThat(told(GuardShape.BYPASS_AUDIT, after)).isEqualTo(annotated.keySet());
  }

  @ParameterizedTest
  @MethodSource("states")
  void needsNoAnswerExactlyWhereNoRuleRefuses(
      ProtectedResources wanted, Optional<KubeObject> actual) {
    Optional<KubeObject> after = executed(plan(wanted, actual), actual);

    var advised = new TreeMap<>(after.map(GuardShape::coveredBy).orElse(Coverage.NONE).deletions());
    advised.values().removeIf(guard -> guard.force() != Force.ADVISORY);
    assertThat(told(GuardShape.ADVISORY, after)).isEqualTo(advised.keySet());
  }

  @ParameterizedTest
  @MethodSource("states")
  void isToldOnceOfTheRemovalOfWhatMayRefer(
      ProtectedResources wanted, Optional<KubeObject> actual) {
    Optional<KubeObject> after = executed(plan(wanted, actual), actual);

    Coverage coverage = after.map(GuardShape::coveredBy).orElse(Coverage.NONE);
    var unguarded = new TreeSet<GroupResource>();
    coverage.references().keySet().forEach(type -> unguarded.add(GroupResource.of(type)));
    unguarded.removeAll(coverage.deletions().keySet());
    assertThat(told(GuardShape.REMOVALS, after)).isEqualTo(unguarded);
  }

  /** Deletions that an entry covers which protects nothing. */
  private static Set<GroupResource> told(String entryName, Optional<KubeObject> configured) {
    var told = new TreeSet<GroupResource>();
    configured.ifPresent(configuration -> {
      for (Object entry : configuration.list("webhooks")) {
        if (entryName.equals(Trees.at(entry, "name"))) {
          assertThat(Trees.at(entry, "failurePolicy")).isEqualTo("Ignore");
          KubeObject alone =
              configuration.with(
                  List.of(KubeObject.of(Trees.mapOrEmpty(entry)).with("x.y.z", "name").tree()),
                  "webhooks");
          told.addAll(GuardShape.coveredBy(alone).deletions().keySet());
        }
      }
    });
    return told;
  }

  @ParameterizedTest
  @MethodSource("states")
  void everyEntryCallsWhatTheSettingsSay(ProtectedResources wanted, Optional<KubeObject> actual) {
    Optional<KubeObject> after = executed(plan(wanted, actual), actual);

    assertThat(after.map(configuration -> configuration.list("webhooks")).orElse(List.of()))
        .allSatisfy(entry ->
            assertThat(Trees.at(entry, "clientConfig"))
                .isEqualTo(
                    Map.of("url", "https://hook:9443/validate/network1", "caBundle", "Q0E=")));
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
      case InSync() -> assertThat(coveredAfter(new InSync(), actual)).isNotNull();
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

  private static Coverage coveredAfter(GuardPlan plan, Optional<KubeObject> actual) {
    return executed(plan, actual).map(GuardShape::coveredBy).orElse(Coverage.NONE);
  }

  private static KubeObject stored(GuardSettings settings, Coverage coverage) {
    return GuardShape.configuration(GuardShape.webhooks(settings, PROVIDER, coverage))
        .with("u1", "metadata", "uid")
        .with("7", "metadata", "resourceVersion")
        .with("yes", "metadata", "labels", "kept");
  }

  private static List<Coverage> coverages() {
    Optional<DeletionGuard> none = Optional.empty();
    var told = Optional.of(DeletionGuard.ADVISORY);
    var weak = Optional.of(new DeletionGuard(Bypass.ANNOTATION, RaceProtection.NONE));
    var strong = Optional.of(new DeletionGuard(Bypass.REQUIRE_PERMISSION, RaceProtection.STRICT));
    var coverages = new ArrayList<Coverage>();
    for (Optional<DeletionGuard> first : List.of(none, told, weak, strong)) {
      for (Optional<DeletionGuard> second : List.of(none, weak)) {
        for (Map<ResourceType, ReferenceGuard> references : REVIEWED) {
          var deletions = new TreeMap<GroupResource, DeletionGuard>();
          first.ifPresent(guard -> deletions.put(RESOURCES.getFirst(), guard));
          second.ifPresent(guard -> deletions.put(RESOURCES.getLast(), guard));
          // One entry holds what is guarded alike, so side effects are those of the strictest.
          coverages.add(
              GuardShape.coveredBy(
                  GuardShape.configuration(
                      GuardShape.webhooks(
                          SETTINGS,
                          PROVIDER,
                          new Coverage(deletions, new TreeMap<>(references))))));
        }
      }
    }
    return coverages.stream().distinct().toList();
  }

  private static GuardSettings settings(String url, String ca) {
    return new GuardSettings(url, ca, FailurePolicy.FAIL, Duration.ofSeconds(10));
  }
}
