package dev.mooring.sandbox.cel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.sandbox.cel.library.Quantity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class QuantityTest {
  /** As Kubernetes' own test of resource.Quantity has them. */
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "0Mi, 0",
    "1Ki, 1Ki",
    "8Ki, 8Ki",
    "7Mi, 7Mi",
    "1024, 1024",
    "1024Ki, 1Mi",
    "0.5, 500m",
    "1.5, 1500m",
    "1000, 1k",
    "1500, 1500",
    "1000m, 1",
    "100u, 100u",
    "0.5Ki, 512",
    "1.5Gi, 1536Mi",
    "0.001Ki, 1024m",
    "1e3, 1e3",
    "12e6, 12e6",
    "1.1E-9, 2e-9",
    "-1k, -1k",
    "+5, 5",
    "1E, 1E",
    "1.123456789Ki, 1150419751936n"
  })
  void writesTheLargestPrefixWithoutFraction(String text, String canonical) {
    assertThat(Quantity.canonical(text)).contains(canonical);
  }

  @Test
  void refusesWhatIsNoQuantity() {
    assertThat(Quantity.canonical("1.5.2")).isEmpty();
    assertThat(Quantity.canonical("x")).isEmpty();
  }
}
