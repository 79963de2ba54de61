package dev.mooring.runtime.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noFields;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.time.SystemTime;
import java.time.Clock;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * What holds in every service. A service's own test lists it beside its own rules:
 *
 * <pre>{@code
 * @AnalyzeClasses(
 *     packages = "dev.mooring.syncagent",
 *     importOptions = ImportOption.DoNotIncludeTests.class)
 * class SyncAgentArchitectureTest {
 *   @ArchTest static final ArchTests HOUSE = ArchTests.in(HouseRules.class);
 * }
 * }</pre>
 *
 * with {@code shared-runtime} of type {@code test-jar} and {@code archunit-junit5}, both in scope
 * {@code test}. A rule that finds nothing to check holds: a young service has no {@code decide}
 * package yet.
 */
public final class HouseRules {
  @ArchTest
  static final ArchRule DECIDE_IS_PURE =
      classes()
          .that()
          .resideInAPackage("..decide..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "..decide..",
              "dev.mooring.model..",
              "dev.mooring.languages..",
              "dev.mooring.syncagent.published..",
              "java.lang..",
              "java.util",
              "java.util.function..",
              "java.util.regex..",
              "java.util.stream..",
              "java.math..",
              "java.time..")
          .allowEmptyShould(true)
          .because("a decision that can do I/O cannot be enumerated or simulated");

  @ArchTest
  public static final ArchRule TIME_AND_CHANCE_ARE_PARAMETERS =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.mooring.runtime.time..")
          .should()
          .accessTargetWhere(describe("reads the machine's time or chance", HouseRules::ambient))
          .allowEmptyShould(true)
          .because(
              "what asks the machine cannot be replayed: take an InstantSource, Ids, Scheduler");

  @ArchTest
  static final ArchRule CONFIG_HANDS_OUT_THE_MACHINES_TIME =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.mooring.*.config..", "dev.mooring.runtime..")
          .should()
          .dependOnClassesThat()
          .areAssignableTo(SystemTime.class)
          .allowEmptyShould(true)
          .because("a class with clocks of its own compares times of different clocks unnoticed");

  @ArchTest
  static final ArchRule DECIDE_HOLDS_NO_STATE =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage("..decide..")
          .should()
          .beFinal()
          .allowEmptyShould(true)
          .because("equal snapshots give equal plans");

  @ArchTest
  static final ArchRule ONLY_WRITERS_WRITE =
      noClasses()
          .that(describe("are not part of an Executor, Writer or Store", c -> !writes(c)))
          .should()
          .accessTargetWhere(describe("writes by a KubeClient", HouseRules::writesByKubeClient))
          .allowEmptyShould(true)
          .because("every write has a precondition, and only a few classes to review it in");

  @ArchTest
  static final ArchRule FEATURES_ARE_ACYCLIC =
      slices()
          .matching("dev.mooring.*.(*)..")
          .should()
          .beFreeOfCycles()
          .allowEmptyShould(true)
          .because("a feature that needs another which needs it back is one feature");

  @ArchTest
  static final ArchRule NOTHING_IMPORTS_CONFIG =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.mooring.*", "dev.mooring.*.config..", "dev.mooring.*.endpoint..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.mooring.*.config..")
          .allowEmptyShould(true)
          .because("config wires features: they take values, not their configuration");

  @ArchTest
  static final ArchRule SERVICES_STAND_ALONE =
      slices()
          .matching("dev.mooring.(syncagent|depcontroller|depwebhook|sandbox)..")
          .should()
          .notDependOnEachOther()
          .allowEmptyShould(true)
          .because("services meet on the wire only, and the sandbox is for tests and demos");

  @ArchTest
  static final ArchRule SPRING_STAYS_AT_THE_EDGE =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.mooring.*.config..", "dev.mooring.*.endpoint..", "dev.mooring.runtime.spring..")
          .and()
          .haveSimpleNameNotEndingWith("Application")
          .and()
          .haveSimpleNameNotEndingWith("Endpoint")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.springframework..", "jakarta.servlet..")
          .allowEmptyShould(true)
          .because("what Spring does not know can be tested without it");

  @ArchTest
  public static final ArchRule NO_FIELD_INJECTION =
      noFields()
          .should()
          .beAnnotatedWith("org.springframework.beans.factory.annotation.Autowired")
          .orShould()
          .beAnnotatedWith("org.springframework.beans.factory.annotation.Value")
          .orShould()
          .beAnnotatedWith("jakarta.inject.Inject")
          .orShould()
          .beAnnotatedWith("jakarta.annotation.Resource")
          .allowEmptyShould(true)
          .because("a constructor says what a class needs and keeps it final");

  private static final Map<String, Set<String>> AMBIENT =
      Map.ofEntries(
          ambient(Instant.class, "now"),
          ambient(LocalDateTime.class, "now"),
          ambient(OffsetDateTime.class, "now"),
          ambient(ZonedDateTime.class, "now"),
          ambient(Clock.class, "systemUTC", "systemDefaultZone", "system"),
          ambient(InstantSource.class, "system"),
          ambient(System.class, "nanoTime", "currentTimeMillis"),
          ambient(UUID.class, "randomUUID"),
          ambient(Math.class, "random"),
          ambient(Random.class, "<init>"),
          ambient(ThreadLocalRandom.class, "current"),
          ambient(Thread.class, "sleep"),
          ambient(TimeUnit.class, "sleep"));

  private static final Set<String> WRITES =
      Set.of("create", "update", "updateStatus", "patch", "patchStatus", "delete");

  private HouseRules() {}

  /** For a module that has its own list of who may write. */
  public static DescribedPredicate<JavaAccess<?>> kubeWrites() {
    return describe("writes by a KubeClient", HouseRules::writesByKubeClient);
  }

  private static Map.Entry<String, Set<String>> ambient(Class<?> owner, String... names) {
    return Map.entry(owner.getName(), Set.copyOf(Arrays.asList(names)));
  }

  private static boolean ambient(JavaAccess<?> access) {
    return AMBIENT
        .getOrDefault(access.getTargetOwner().getName(), Set.of())
        .contains(access.getName());
  }

  private static boolean writesByKubeClient(JavaAccess<?> access) {
    return access.getTargetOwner().isAssignableTo(KubeClient.class)
        && WRITES.contains(access.getName());
  }

  private static boolean writes(JavaClass candidate) {
    String name = outermost(candidate).getSimpleName();
    return name.endsWith("Executor") || name.endsWith("Writer") || name.endsWith("Store");
  }

  private static JavaClass outermost(JavaClass candidate) {
    JavaClass outermost = candidate;
    while (outermost.getEnclosingClass().isPresent()) {
      outermost = outermost.getEnclosingClass().get();
    }
    return outermost;
  }
}
