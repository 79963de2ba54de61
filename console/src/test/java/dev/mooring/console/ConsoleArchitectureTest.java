package dev.mooring.console;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.mooring.runtime.architecture.HouseRules;

@AnalyzeClasses(
    packages = "dev.mooring.console",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ConsoleArchitectureTest {
  @ArchTest static final ArchRule TIME = HouseRules.TIME_AND_CHANCE_ARE_PARAMETERS;
  @ArchTest static final ArchRule INJECTION = HouseRules.NO_FIELD_INJECTION;

  /** What a service says its pages with. */
  private static final Class<?>[] DOOR = {
    Cell.class,
    Console.class,
    Link.class,
    Paging.class,
    Query.class,
    RulesView.class,
    Section.class,
    Statement.class,
    Tone.class,
    View.class
  };

  @ArchTest
  static final ArchRule NOTHING_ELSE_IS_PUBLIC =
      noClasses()
          .that()
          .doNotBelongToAnyOf(DOOR)
          .and()
          .areTopLevelClasses()
          .and()
          .haveSimpleNameNotEndingWith("Generated")
          .should()
          .bePublic()
          .because("how pages are served may change without a service; jte makes templates public");

  @ArchTest
  static final ArchRule THE_DOOR_HOLDS_VALUES =
      classes()
          .that()
          .belongToAnyOf(DOOR)
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("dev.mooring.console", "dev.mooring.model..", "java..")
          .because("a service's pages can be tested without a server");
}
