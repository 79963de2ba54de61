package dev.mooring.model.identity;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestTest {
  private static final List<String> KNOWN = List.of("vpcReff", "vpcRef", "subnetRef", "size");

  @ParameterizedTest
  @CsvSource({"vpcref, vpcRef", "vpcRefff, vpcReff", "siez, size", "subnet_Ref, subnetRef"})
  void findsWhatWasMeant(String typed, String meant) {
    assertThat(Nearest.to(typed, KNOWN)).contains(meant);
  }

  @Test
  void findsNothingAmongNamesThatDiffer() {
    assertThat(Nearest.to("region", KNOWN)).isEmpty();
    assertThat(Nearest.to("a", List.of())).isEmpty();
  }
}
