package dev.mooring.model;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.mooring.model",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule valuesStandOnTheJdkAlone =
      classes()
          .that()
          .resideOutsideOfPackage("dev.mooring.model.json")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("dev.mooring.model..", "dev.mooring.languages..", "java..")
          .because(
              "decisions are made on these values, and a decision that can do I/O cannot be"
                  + " enumerated");

  @ArchTest
  static final ArchRule valuesDoNoInputOrOutput =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.mooring.model.json")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.io..", "java.nio.file..", "java.net..", "java.util.concurrent..")
          .because("this module has values only; I/O and threads live in shared-runtime");

  @ArchTest
  static final ArchRule fieldsAreFinal =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .arePublic()
          .should()
          .beFinal()
          .because("a value does not change; a changed value is another one");

  @ArchTest
  static final ArchRule packagesAreAcyclic =
      slices()
          .matching("dev.mooring.model.(*)..")
          .should()
          .beFreeOfCycles()
          .because("a package that needs its user cannot be read on its own");
}
