package dev.mooring.sandbox.quota;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.ResourceType;
import org.junit.jupiter.api.Test;

class QuotaLimitsTest {
  private static final QuotaLimits KUBERNETES = QuotaLimits.of(Counting.KUBERNETES);

  @Test
  void knowsNoBareNamesInKcp() {
    assertThat(QuotaLimits.of(Counting.KCP).names(ResourceType.core("configmaps")))
        .containsExactly("count/configmaps");
  }

  @Test
  void limitsSomeCoreResourcesByTheirBareNameAndAllByCount() {
    assertThat(KUBERNETES.names(ResourceType.core("configmaps")))
        .containsExactly("configmaps", "count/configmaps");
    assertThat(KUBERNETES.names(ResourceType.core("serviceaccounts")))
        .containsExactly("count/serviceaccounts");
    assertThat(KUBERNETES.names(new ResourceType("example.io", "v1", "secrets")))
        .containsExactly("count/secrets.example.io");
  }

  @Test
  void readsLimitsAsQuantities() {
    assertThat(QuotaLimits.exceeded("2", 2)).isFalse();
    assertThat(QuotaLimits.exceeded("2", 3)).isTrue();
    assertThat(QuotaLimits.exceeded("1k", 1000)).isFalse();
    assertThat(QuotaLimits.exceeded("1k", 1001)).isTrue();
    assertThat(QuotaLimits.exceeded("0", 1)).isTrue();
  }

  @Test
  void limitsNothingByWhatIsNoQuantity() {
    assertThat(QuotaLimits.exceeded("many", 1_000_000)).isFalse();
    assertThat(QuotaLimits.exceeded("", 1)).isFalse();
  }
}
