package dev.mooring.sandbox;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.mooring.sandbox.api.status.ApiFailure;

@AnalyzeClasses(
    packages = "dev.mooring.sandbox",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule HTTP_STAYS_AT_THE_EDGE =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.mooring.sandbox.http..", "dev.mooring.sandbox.webhook..")
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
              "dev.mooring.sandbox.storage..", "dev.mooring.model..", "java..", "org.h2.mvstore..")
          .because("versions are all a store knows of Kubernetes");

  @ArchTest
  static final ArchRule NOBODY_NEEDS_HTTP =
      noClasses()
          .that()
          .resideOutsideOfPackages(
              "dev.mooring.sandbox", "dev.mooring.sandbox.kube", "dev.mooring.sandbox.http..")
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
  static final ArchRule DECISIONS_ARE_PURE =
      classes()
          .that()
          .resideInAPackage("..decide..")
          .should()
          .onlyDependOnClassesThat(
              resideInAnyPackage(
                      "..decide..",
                      "dev.mooring.model..",
                      "dev.mooring.sandbox.api.validation..",
                      "dev.mooring.sandbox.selector..",
                      "java.lang..",
                      "java.util",
                      "java.util.function..",
                      "java.util.regex",
                      "java.util.stream..")
                  .or(type(ApiFailure.class)))
          .because("a decision that can do I/O cannot be enumerated");

  @ArchTest
  static final ArchRule PACKAGES_FORM_NO_CYCLE =
      slices()
          .matching("dev.mooring.sandbox.(**)")
          .should()
          .beFreeOfCycles()
          .because("each package can then be read after those below it");

  @ArchTest
  static final ArchRule KCP_PARTS_FORM_NO_CYCLE =
      slices()
          .matching("dev.mooring.sandbox.kcp.(*)..")
          .should()
          .beFreeOfCycles()
          .because("each of them can then be read after those below it");

  @ArchTest
  static final ArchRule ONLY_KCP_ASSEMBLES_KCP =
      noClasses()
          .that()
          .resideInAPackage("dev.mooring.sandbox.kcp.*..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("dev.mooring.sandbox.kcp")
          .because("the parts do not know how they are put together");

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
  static final ArchRule DECISIONS_KEEP_NO_STATE =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage("..decide..")
          .should()
          .beFinal()
          .because("the same facts have to give the same decision");

  @ArchTest
  static final ArchRule NO_LEAKING_LIBRARIES =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.fabric8..", "org.springframework..", "picocli..", "ch.qos.logback..")
          .because("it is tested with other clients, and leaves logging to its users");
}
