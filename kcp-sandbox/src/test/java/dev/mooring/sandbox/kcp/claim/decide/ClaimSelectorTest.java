package dev.mooring.sandbox.kcp.claim.decide;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClaimSelectorTest {
  private static final Map<String, String> SHARED = Map.of("share", "yes", "tier", "gold");

  @Test
  void matchesEverythingWhenItSaysSo() {
    assertThat(ClaimSelector.all().matches(Map.of())).isTrue();
  }

  @Test
  void matchesNothingWithoutRequirements() {
    assertThat(new ClaimSelector(Map.of()).matches(SHARED)).isFalse();
    assertThat(new ClaimSelector(Map.of("matchAll", false)).matches(SHARED)).isFalse();
  }

  @Test
  void needsEveryLabel() {
    var selector = new ClaimSelector(Map.of("matchLabels", SHARED));

    assertThat(selector.matches(SHARED)).isTrue();
    assertThat(selector.matches(Map.of("share", "yes"))).isFalse();
  }

  @Test
  void evaluatesExpressions() {
    assertThat(expression("In", "yes", "maybe").matches(SHARED)).isTrue();
    assertThat(expression("In", "no").matches(SHARED)).isFalse();
    assertThat(expression("NotIn", "no").matches(SHARED)).isTrue();
    assertThat(expression("NotIn", "yes").matches(SHARED)).isFalse();
    assertThat(expression("NotIn", "yes").matches(Map.of())).isTrue();
    assertThat(expression("Exists").matches(SHARED)).isTrue();
    assertThat(expression("DoesNotExist").matches(SHARED)).isFalse();
    assertThat(expression("DoesNotExist").matches(Map.of())).isTrue();
  }

  @Test
  void grantsNothingForAnOperatorItDoesNotKnow() {
    assertThat(expression("Near", "yes").matches(SHARED)).isFalse();
  }

  private static ClaimSelector expression(String operator, String... values) {
    return new ClaimSelector(
        Map.of(
            "matchExpressions",
            List.of(Map.of("key", "share", "operator", operator, "values", List.of(values)))));
  }
}
