package dev.mooring.runtime.architecture;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.methods;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import dev.mooring.runtime.client.credentials.ConnectionOptions;

@AnalyzeClasses(
    packages = "dev.mooring.runtime",
    importOptions = ImportOption.DoNotIncludeTests.class)
class RuntimeArchitectureTest {
  @ArchTest static final ArchRule TIME = HouseRules.TIME_AND_CHANCE_ARE_PARAMETERS;
  @ArchTest static final ArchRule ACYCLIC = HouseRules.FEATURES_ARE_ACYCLIC;
  @ArchTest static final ArchRule ALONE = HouseRules.SERVICES_STAND_ALONE;
  @ArchTest static final ArchRule SPRING = HouseRules.SPRING_STAYS_AT_THE_EDGE;
  @ArchTest static final ArchRule INJECTION = HouseRules.NO_FIELD_INJECTION;

  @ArchTest
  static final ArchRule ONLY_THE_CLIENT_KNOWS_FABRIC8 =
      noClasses()
          .that()
          .resideOutsideOfPackages("dev.mooring.runtime.client..", "dev.mooring.runtime.spring..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..")
          .because(
              "the next major version is to be a change of one package, besides what Spring Cloud"
                  + " Kubernetes gives");

  @ArchTest
  static final ArchRule THE_CLIENT_SHOWS_NO_FABRIC8 =
      methods()
          .that()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .arePublic()
          .and()
          .areDeclaredInClassesThat()
          .resideOutsideOfPackage("dev.mooring.runtime.client.credentials")
          .should()
          .notHaveRawReturnType(resideInAPackage("io.fabric8.."))
          .because("a type of another library in a signature binds every caller to it");

  @ArchTest
  static final ArchRule CREDENTIALS_STAY_IN_THE_CLIENT =
      noClasses()
          .that()
          .resideOutsideOfPackage("dev.mooring.runtime.client..")
          .should()
          .dependOnClassesThat(
              resideInAPackage("dev.mooring.runtime.client.credentials")
                  .and(not(type(ConnectionOptions.class))))
          .because("these types hold fabric8's configuration and private keys");
}
