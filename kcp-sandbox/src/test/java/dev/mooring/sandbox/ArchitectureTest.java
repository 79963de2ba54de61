package dev.mooring.sandbox;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.fields;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.junit.ArchTests;
import com.tngtech.archunit.lang.ArchRule;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.kube.KubeArchitectureTest;

@AnalyzeClasses(packages = "dev.mooring.sandbox", importOptions = ArchitectureTest.Main.class)
class ArchitectureTest {
  /** Neither this module's tests nor those that it shares with plain Kubernetes. */
  static final class Main implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return Predefined.DO_NOT_INCLUDE_TESTS.includes(location) && !location.contains("-tests.jar");
    }
  }

  @ArchTest static final ArchTests KUBERNETES = ArchTests.in(KubeArchitectureTest.class);

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
  static final ArchRule DECISIONS_KEEP_NO_STATE =
      fields()
          .that()
          .areDeclaredInClassesThat()
          .resideInAPackage("..decide..")
          .should()
          .beFinal()
          .because("the same facts have to give the same decision");
}
