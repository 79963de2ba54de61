package dev.mooring.runtime.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Every rule finds what was planted for it, and nothing else. */
class HouseRulesTest {
  private static final JavaClasses PLANTED =
      new ClassFileImporter().importPackages("dev.mooring.planted");

  @ParameterizedTest(name = "{1}")
  @MethodSource("rules")
  void findsWhatBreaksIt(ArchRule rule, String culprit) {
    var report = rule.evaluate(PLANTED).getFailureReport();

    assertThat(report.getDetails())
        .isNotEmpty()
        .allSatisfy(said -> assertThat(said).contains(culprit));
  }

  static Stream<Arguments> rules() {
    return Stream.of(
        Arguments.of(HouseRules.DECIDE_IS_PURE, "Impure"),
        Arguments.of(HouseRules.DECIDE_HOLDS_NO_STATE, "Impure.remembered"),
        Arguments.of(HouseRules.TIME_AND_CHANCE_ARE_PARAMETERS, "Ambient"),
        Arguments.of(HouseRules.ONLY_WRITERS_WRITE, "Scribbler"),
        Arguments.of(HouseRules.FEATURES_ARE_ACYCLIC, "Circular"),
        Arguments.of(HouseRules.NOTHING_IMPORTS_CONFIG, "Wired"));
  }
}
