package dev.mooring.depwebhook;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.mooring.console.testing.ConsoleRules;
import dev.mooring.runtime.architecture.HouseRules;

@AnalyzeClasses(
    packages = "dev.mooring.depwebhook",
    importOptions = ImportOption.DoNotIncludeTests.class)
class WebhookArchitectureTest {
  @ArchTest static final ArchTests HOUSE = ArchTests.in(HouseRules.class);
  @ArchTest static final ArchTests CONSOLE = ArchTests.in(ConsoleRules.class);

  @ArchTest
  static final ArchRule ONLY_THE_RACE_REGISTER_IS_WRITTEN =
      noClasses()
          .that()
          .doNotHaveSimpleName("RegisterStore")
          .should()
          .accessTargetWhere(HouseRules.kubeWrites())
          .because("without race protection the right to read is enough");

  @ArchTest
  static final ArchRule RACE_PROTECTION_HAS_ONE_ENTRY =
      noClasses()
          .that()
          .resideOutsideOfPackages("..race..", "..config..", "..endpoint..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..race..")
          .because("a reader of a review without race protection need not know the register");

  @ArchTest
  static final ArchRule RACE_PROTECTION_DECIDES_FOR_ITSELF =
      noClasses()
          .that()
          .resideOutsideOfPackage("..race..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..race.decide..")
          .because("the register's records are its own");

  @ArchTest
  static final ArchRule NO_BEANS_OF_KUBERNETES =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..")
          .because("Spring's JSON mapping would lose fields of such types without a word");
}
