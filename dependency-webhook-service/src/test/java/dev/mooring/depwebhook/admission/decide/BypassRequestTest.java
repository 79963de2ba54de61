package dev.mooring.depwebhook.admission.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depwebhook.Fixtures;
import dev.mooring.model.object.KubeObject;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BypassRequestTest {
  private static final String ANNOTATION = "dependencies.opendefense.cloud/skip-protection";
  private static final Instant NOW = Instant.parse("2026-06-01T12:00:00Z");

  @Test
  void countsForTheExactValue() {
    assertThat(request("true")).isEqualTo(new BypassRequest.Always());
  }

  @ParameterizedTest
  @ValueSource(strings = {"True", "true ", "yes", "", "false", "UNTIL=2030-01-01T00:00:00Z"})
  void doesNotCountForAnythingLikeIt(String value) {
    assertThat(request(value))
        .isEqualTo(new BypassRequest.Void("only \"true\" and until=<RFC 3339 time> count"));
  }

  @ParameterizedTest
  @CsvSource({
    "until=2026-06-01T12:00:01Z, 2026-06-01T12:00:01Z",
    "until=2026-06-01T14:30:00.5+02:00, 2026-06-01T12:30:00.500Z"
  })
  void countsUntilItsEnd(String value, Instant end) {
    assertThat(request(value)).isEqualTo(new BypassRequest.Until(end));
  }

  @ParameterizedTest
  @CsvSource({
    "until=2026-06-01T12:00:00Z, it ended at 2026-06-01T12:00:00Z",
    "until=2026-06-01T13:59:59+02:00, it ended at 2026-06-01T11:59:59Z",
    "until=tomorrow, what follows until= is not a time as in 2030-01-31T12:00:00Z",
    "until=2030-01-31, what follows until= is not a time as in 2030-01-31T12:00:00Z",
    "until=, what follows until= is not a time as in 2030-01-31T12:00:00Z"
  })
  void saysWhyItDoesNotCount(String value, String why) {
    assertThat(request(value)).isEqualTo(new BypassRequest.Void(why));
  }

  @Test
  void isNoneWithoutTheAnnotation() {
    assertThat(BypassRequest.of(Fixtures.machine("default", "net1", "x"), NOW))
        .isEqualTo(new BypassRequest.None());
  }

  private static BypassRequest request(String value) {
    KubeObject vpc =
        Fixtures.machine("default", "net1", "x").with(value, "metadata", "annotations", ANNOTATION);
    return BypassRequest.of(vpc, NOW);
  }
}
