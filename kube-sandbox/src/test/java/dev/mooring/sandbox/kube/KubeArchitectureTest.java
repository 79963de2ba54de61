package dev.mooring.sandbox.kube;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Rules of plain Kubernetes, which hold for what is built upon it as well. */
@AnalyzeClasses(
    packages = "dev.mooring.sandbox",
    importOptions = ImportOption.DoNotIncludeTests.class)
public final class KubeArchitectureTest {
  @ArchTest
  static final ArchRule HTTP_STAYS_AT_THE_EDGE =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.mooring.sandbox.http..",
              "dev.mooring.sandbox.kcp.frontproxy",
              "dev.mooring.sandbox.webhook..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.eclipse.jetty..", "java.net.http..")
          .because("what the server does must not depend on how it is asked");

  @ArchTest
  static final ArchRule STORAGE_KNOWS_NO_RULES =
      classes()
          .that()
          .resideInAPackage("dev.mooring.sandbox.storage..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.mooring.sandbox.storage..",
              "dev.mooring.model..",
              "java..",
              "com.google.common.collect..",
              "org.h2.mvstore..")
          .because("versions are all a store knows of Kubernetes");

  @ArchTest
  static final ArchRule NOBODY_NEEDS_HTTP =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.mooring.sandbox",
              "dev.mooring.sandbox.kube",
              "dev.mooring.sandbox.http..",
              "dev.mooring.sandbox.kcp.frontproxy")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.mooring.sandbox.http..")
          .because("parts plug in through the api package");

  @ArchTest
  static final ArchRule PURE_PARTS_STAY_PURE =
      classes()
          .that()
          .resideInAnyPackage(
              "dev.mooring.sandbox.fields..",
              "dev.mooring.sandbox.patch..",
              "dev.mooring.sandbox.selector..")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "dev.mooring.sandbox.fields..",
              "dev.mooring.sandbox.patch..",
              "dev.mooring.sandbox.selector..",
              "dev.mooring.sandbox.api.validation..",
              "dev.mooring.model..",
              "java.lang..",
              "java.util..")
          .because("they compute on values and nothing else");

  @ArchTest
  static final ArchRule PACKAGES_FORM_NO_CYCLE =
      slices()
          .matching("dev.mooring.sandbox.(**)")
          .should()
          .beFreeOfCycles()
          .because("each package can then be read after those below it");

  @ArchTest
  static final ArchRule KUBERNETES_KNOWS_NO_KCP =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.mooring.sandbox", "dev.mooring.sandbox.kcp..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("dev.mooring.sandbox", "dev.mooring.sandbox.kcp..")
          .because("a plain Kubernetes API server is built without kcp");

  @ArchTest
  static final ArchRule NO_LEAKING_LIBRARIES =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.fabric8..", "org.springframework..", "picocli..", "ch.qos.logback..")
          .because("it is tested with other clients, and leaves logging to its users");
}
