package dev.mooring.languages;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "dev.mooring.languages",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule needsNothingElseOfMooring =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.mooring.languages..",
              "java..",
              "javax.crypto..",
              "tools.jackson.core..",
              "dev.cel..",
              "com.google..")
          .because("the languages are useful without kcp and Kubernetes");

  @ArchTest
  static final ArchRule librariesShowInNoSignature =
      methods()
          .that()
          .arePublic()
          .should()
          .haveRawReturnType(resideInAnyPackage("dev.mooring.languages..", "java..", ""))
          .because("decisions use the languages and must not depend on what implements them");

  @ArchTest
  static final ArchRule expressionsDoNoInputOrOutput =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "java.io..", "java.nio.file..", "java.net..", "java.util.concurrent..")
          .because("tenants write expressions: they compute, and reach nothing");

  @ArchTest
  static final ArchRule templatesUseTheOthersAndNotTheReverse =
      slices().matching("dev.mooring.(**)").should().beFreeOfCycles();
}
