package dev.mooring.depwebhook.admission.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.Fixtures;
import dev.mooring.model.object.KubeObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BypassTest {
  private static final String ANNOTATION = "dependencies.opendefense.cloud/skip-protection";

  @ParameterizedTest
  @CsvSource({
    "true, REQUESTED",
    "True, NOT_REQUESTED",
    "'true ', NOT_REQUESTED",
    "yes, NOT_REQUESTED",
    "'', NOT_REQUESTED",
    "false, NOT_REQUESTED"
  })
  void onlyTheExactValueCounts(String value, Bypass expected) {
    KubeObject vpc =
        Fixtures.machine("default", "net1", "x").with(value, "metadata", "annotations", ANNOTATION);

    assertThat(Bypass.of(vpc)).isEqualTo(expected);
  }

  @Test
  void isNotRequestedWithoutTheAnnotation() {
    assertThat(Bypass.of(Fixtures.machine("default", "net1", "x"))).isEqualTo(Bypass.NOT_REQUESTED);
  }
}
