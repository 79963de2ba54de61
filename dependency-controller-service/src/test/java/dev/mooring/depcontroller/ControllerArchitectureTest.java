package dev.mooring.depcontroller;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.mooring.console.testing.ConsoleRules;
import dev.mooring.runtime.architecture.HouseRules;

@AnalyzeClasses(
    packages = "dev.mooring.depcontroller",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ControllerArchitectureTest {
  @ArchTest static final ArchTests HOUSE = ArchTests.in(HouseRules.class);
  @ArchTest static final ArchTests CONSOLE = ArchTests.in(ConsoleRules.class);

  @ArchTest
  static final ArchRule NO_BEANS_OF_KUBERNETES =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..")
          .because("the client layer alone knows the client library");
}
