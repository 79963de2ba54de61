package dev.mooring.acceptance;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = {"dev.mooring.harness", "dev.mooring.cli", "dev.mooring.acceptance"})
class AcceptanceArchitectureTest {
  @ArchTest
  static final ArchRule SERVICES_ARE_PROCESSES =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "dev.mooring.syncagent..", "dev.mooring.depcontroller..", "dev.mooring.depwebhook..")
          .because("users run programs, so the tests do");

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
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..")
          .because(
              "shared-runtime is the one place that knows that client; KubernetesSchema holds"
                  + " rendered objects against its models");
}
