package dev.mooring.sandbox.http.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HumanDurationTest {
  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT5S, 5s",
    "PT2M, 2m",
    "PT3M20S, 3m20s",
    "PT59M, 59m",
    "PT3H, 3h",
    "PT5H7M, 5h7m",
    "P30D, 30d",
    "PT119S, 119s",
    "PT2M5S, 2m5s",
    "PT9M, 9m",
    "PT45M, 45m",
    "PT3H5M, 3h5m",
    "PT30H, 30h",
    "P3DT4H, 3d4h",
    "P100D, 100d",
    "P800D, 2y70d",
    "-PT5S, <invalid>",
  })
  void shortensAsKubernetesDoes(Duration age, String text) {
    assertThat(HumanDuration.text(age)).isEqualTo(text);
  }
}
