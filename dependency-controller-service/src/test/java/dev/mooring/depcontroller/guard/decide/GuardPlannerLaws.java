package dev.mooring.depcontroller.guard.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.decide.DeletionGuard.Effect;
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
import dev.mooring.model.identity.ObjectKey;
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
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

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
  private static final Certainty DOUBT =
      new Certainty.MayBeMore(
          new TreeSet<>(Set.of(new ObjectKey(new LogicalCluster("compute1"), "", "vm"))));
  private static final GuardSettings SETTINGS = settings("https://hook:9443/validate", "Q0E=");

  /** 24 coverages, known to be all or not, × one of 23 by two settings, or nothing. */
  private static final int STATES_COUNT = 24 * 2 * (23 * 2 + 1);

  private static final List<State> STATES = states();

  /** What is wanted, and what is there. */
  private record State(ProtectedResources wanted, Optional<KubeObject> actual) {}

  private static List<State> states() {
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
            Stream.of(new Certainty.AllKnown(), DOUBT)
                .map(certainty -> new ProtectedResources(wanted, certainty)))
        .flatMap(wanted -> actual.stream().map(found -> new State(wanted, found)))
        .toList();
  }

  @Test
  void protectsEverythingThatIsWanted() {
    inEveryState((wanted, actual) -> {
      Coverage after = coveredAfter(plan(wanted, actual), actual);

      assertThat(after.and(wanted.coverage())).isEqualTo(after);
    });
  }

  @Test
  void neverShrinksWhileMoreMayBeWanted() {
    inEveryState((wanted, actual) -> {
      Coverage before = actual.map(WebhookConfigurationBuilder::coveredBy).orElse(Coverage.NONE);

      Coverage after = coveredAfter(plan(wanted, actual), actual);

      switch (wanted.certainty()) {
        case Certainty.MayBeMore(_) -> assertThat(after.and(before)).isEqualTo(after);
        case Certainty.AllKnown() -> assertThat(after).isEqualTo(wanted.coverage());
      }
    });
  }

  @Test
  void namesWhoHoldsUpWhatWouldShrinkOtherwise() {
    inEveryState((wanted, actual) -> {
      var certain = new ProtectedResources(wanted.coverage(), new Certainty.AllKnown());

      boolean kept = !plan(wanted, actual).equals(plan(certain, actual));

      assertThat(GuardPlanner.shrinkBlockedBy(PROVIDER, wanted, SETTINGS, actual))
          .isEqualTo(kept ? ((Certainty.MayBeMore) wanted.certainty()).because() : new TreeSet<>());
    });
  }

  @Test
  void auditsExactlyWhatAnnotationsBypass() {
    inEveryState((wanted, actual) -> {
      Optional<KubeObject> after = executed(plan(wanted, actual), actual);

      var annotated =
          new TreeMap<>(
              after.map(WebhookConfigurationBuilder::coveredBy).orElse(Coverage.NONE).deletions());
      annotated
          .values()
          .removeIf(guard -> guard.effect() != Effect.DENY || guard.bypass() != Bypass.ANNOTATION);
      assertThat(covered(WebhookConfigurationBuilder.BYPASS_AUDIT, after))
          .isEqualTo(annotated.keySet());
    });
  }

  @Test
  void needsNoAnswerExactlyWhereNoRuleRefuses() {
    inEveryState((wanted, actual) -> {
      Optional<KubeObject> after = executed(plan(wanted, actual), actual);

      var advised =
          new TreeMap<>(
              after.map(WebhookConfigurationBuilder::coveredBy).orElse(Coverage.NONE).deletions());
      advised.values().removeIf(guard -> guard.effect() != Effect.WARN);
      assertThat(covered(WebhookConfigurationBuilder.ADVISORY, after)).isEqualTo(advised.keySet());
    });
  }

  /** Deletions that an entry covers which protects nothing. */
  private static Set<GroupResource> covered(String entryName, Optional<KubeObject> configured) {
    var covered = new TreeSet<GroupResource>();
    configured.ifPresent(configuration -> {
      for (Object entry : configuration.list("webhooks")) {
        if (entryName.equals(Trees.at(entry, "name"))) {
          assertThat(Trees.at(entry, "failurePolicy")).isEqualTo("Ignore");
          KubeObject alone =
              configuration.with(
                  List.of(KubeObject.of(Trees.mapOrEmpty(entry)).with("x.y.z", "name").tree()),
                  "webhooks");
          covered.addAll(WebhookConfigurationBuilder.coveredBy(alone).deletions().keySet());
        }
      }
    });
    return covered;
  }

  @Test
  void everyEntryCallsWhatTheSettingsSayAndOnlyAdvisoryEntriesIgnoreFailures() {
    inEveryState((wanted, actual) -> {
      Optional<KubeObject> after = executed(plan(wanted, actual), actual);

      for (Object entry :
          after.map(configuration -> configuration.list("webhooks")).orElse(List.of())) {
        String name = Trees.textOrEmpty(Trees.at(entry, "name"));
        String path =
            switch (name) {
              case WebhookConfigurationBuilder.BYPASS_AUDIT -> "/notify";
              case WebhookConfigurationBuilder.ADVISORY -> "/warn";
              default -> "";
            };
        assertThat(Trees.at(entry, "failurePolicy")).isEqualTo(path.isEmpty() ? "Fail" : "Ignore");
        assertThat(Trees.at(entry, "clientConfig"))
            .isEqualTo(
                Map.of("url", "https://hook:9443/validate/network1" + path, "caBundle", "Q0E="));
      }
    });
  }

  @Test
  void settlesAfterOneWrite() {
    inEveryState((wanted, actual) -> {
      Optional<KubeObject> after = executed(plan(wanted, actual), actual);

      assertThat(plan(wanted, after)).isEqualTo(new InSync());
    });
  }

  @Test
  void everyWriteCarriesItsPrecondition() {
    inEveryState((wanted, actual) -> {
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
    });
  }

  /** In one test: a report of each state would take longer than all laws do. */
  private static void inEveryState(BiConsumer<ProtectedResources, Optional<KubeObject>> law) {
    assertThat(STATES).hasSize(STATES_COUNT);
    for (State state : STATES) {
      try {
        law.accept(state.wanted(), state.actual());
      } catch (AssertionError e) {
        throw new AssertionError("in " + state, e);
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
    return executed(plan, actual).map(WebhookConfigurationBuilder::coveredBy).orElse(Coverage.NONE);
  }

  private static KubeObject stored(GuardSettings settings, Coverage coverage) {
    return WebhookConfigurationBuilder.configuration(
            WebhookConfigurationBuilder.webhooks(settings, PROVIDER, coverage))
        .with("u1", "metadata", "uid")
        .with("7", "metadata", "resourceVersion")
        .with("yes", "metadata", "labels", "kept");
  }

  private static List<Coverage> coverages() {
    Optional<DeletionGuard> none = Optional.empty();
    var covered = Optional.of(DeletionGuard.WARNING);
    var weak = Optional.of(new DeletionGuard(Bypass.ANNOTATION, RaceProtection.NONE));
    var strong = Optional.of(new DeletionGuard(Bypass.REQUIRE_PERMISSION, RaceProtection.STRICT));
    var coverages = new ArrayList<Coverage>();
    for (Optional<DeletionGuard> first : List.of(none, covered, weak, strong)) {
      for (Optional<DeletionGuard> second : List.of(none, weak)) {
        for (Map<ResourceType, ReferenceGuard> references : REVIEWED) {
          var deletions = new TreeMap<GroupResource, DeletionGuard>();
          first.ifPresent(guard -> deletions.put(RESOURCES.getFirst(), guard));
          second.ifPresent(guard -> deletions.put(RESOURCES.getLast(), guard));
          // One entry holds what is guarded alike, so side effects are those of the strictest.
          coverages.add(
              WebhookConfigurationBuilder.coveredBy(
                  WebhookConfigurationBuilder.configuration(
                      WebhookConfigurationBuilder.webhooks(
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
