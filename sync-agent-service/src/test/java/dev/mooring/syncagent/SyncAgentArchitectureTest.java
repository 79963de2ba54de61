package dev.mooring.syncagent;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.mooring.console.testing.ConsoleRules;
import dev.mooring.runtime.architecture.HouseRules;

@AnalyzeClasses(
    packages = "dev.mooring.syncagent",
    importOptions = ImportOption.DoNotIncludeTests.class)
class SyncAgentArchitectureTest {
  @ArchTest static final ArchTests HOUSE = ArchTests.in(HouseRules.class);
  @ArchTest static final ArchTests CONSOLE = ArchTests.in(ConsoleRules.class);

  @ArchTest
  static final ArchRule PUBLISHED_HOLDS_VALUES =
      classes()
          .that()
          .resideInAPackage("dev.mooring.syncagent.published..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.mooring.syncagent.published..",
              "dev.mooring.model..",
              "dev.mooring.languages..",
              "java.lang..",
              "java.util",
              "java.util.function..",
              "java.util.stream..",
              "java.util.regex..",
              "java.time..",
              "java.math..",
              "java.nio.charset..")
          .because("decisions use these values, and a decision must not do I/O");
}
