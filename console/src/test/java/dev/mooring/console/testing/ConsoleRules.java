package dev.mooring.console.testing;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** What holds in every service that has a console. */
public final class ConsoleRules {
  @ArchTest
  static final ArchRule ONLY_ENDPOINTS_USE_THE_CONSOLE =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.mooring.*.endpoint..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.mooring.console..")
          .because("pages show what the other packages know, and nothing is decided by a page");

  private ConsoleRules() {}
}
