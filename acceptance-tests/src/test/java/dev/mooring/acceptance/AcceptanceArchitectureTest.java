package dev.mooring.acceptance;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.properties.HasName.Predicates.nameMatching;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = {"dev.mooring.harness", "dev.mooring.cli", "dev.mooring.acceptance"})
class AcceptanceArchitectureTest {
  private static final String[] SERVICES = {
    "dev.mooring.syncagent..", "dev.mooring.depcontroller..", "dev.mooring.depwebhook.."
  };

  /**
   * Flags of the Go programs, what the agent keeps in Secrets, and how it reads types without a
   * CustomResourceDefinition.
   */
  private static final String FORMATS =
      "dev\\.mooring\\.(syncagent\\.(CommandLine.*|content\\.LastKnownState"
          + "|related\\.RecordSecretCodec|publish\\.ServedTypes)"
          + "|depcontroller\\.ControllerFlags)";

  @ArchTest
  static final ArchRule SERVICES_ARE_PROCESSES =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.mooring.cli.published..",
              "dev.mooring.cli.lint..",
              "dev.mooring.cli.render..",
              "dev.mooring.cli.diff..",
              "dev.mooring.cli.graph..",
              "dev.mooring.cli.migrate..",
              "dev.mooring.cli.leave..",
              "dev.mooring.cli.why..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(SERVICES)
          .because("users run programs, so the tests do");

  @ArchTest
  static final ArchRule COMMANDS_USE_DECISIONS =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAnyPackage(SERVICES)
                  .and(resideOutsideOfPackages("..decide..", "dev.mooring.syncagent.published.."))
                  .and(not(nameMatching(FORMATS))))
          .because("commands use what services decide, not what they do");

  @ArchTest
  static final ArchRule THE_HARNESS_KNOWS_NO_DEMO =
      noClasses()
          .that()
          .resideInAPackage("dev.mooring.harness..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.mooring.cli..", "dev.mooring.acceptance..")
          .because("the demo and the tests share it");

  @ArchTest
  static final ArchRule NO_ONE_DEPENDS_ON_FABRIC8 =
      noClasses()
          .that()
          .doNotBelongToAnyOf(KubernetesSchema.class)
          .and()
          .doNotHaveFullyQualifiedName("dev.mooring.cli.check.CollectionDeletion")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..")
          .because(
              "shared-runtime is the one place that knows that client; KubernetesSchema holds"
                  + " rendered objects against its models, and CollectionDeletion sends what no"
                  + " client of Mooring sends");
}
