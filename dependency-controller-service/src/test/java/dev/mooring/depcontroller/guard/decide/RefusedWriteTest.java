package dev.mooring.depcontroller.guard.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Cause;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RefusedWriteTest {
  private static final LogicalCluster NETWORK = new LogicalCluster("network1");
  private static final List<Object> ALL =
      List.of("get", "list", "watch", "create", "update", "delete");

  @Test
  void isTheControllersOwnWantOfARightWhereTheProviderAcceptsTheClaim() {
    Blocked blocked = meaning(binding(claim(Map.of())));

    assertThat(blocked.cause()).isEqualTo(Cause.CONTENT_FORBIDDEN);
    assertThat(blocked.message()).contains("grant it there").endsWith(": 403 said");
  }

  @Test
  void takesAllVerbsForThoseThatAreNeeded() {
    assertThat(meaning(binding(claim(Map.of("verbs", List.of("*"))))).cause())
        .isEqualTo(Cause.CONTENT_FORBIDDEN);
  }

  @Test
  void isTheProvidersWantOfConsentWhereNothingIsAccepted() {
    assertThat(meaning().cause()).isEqualTo(Cause.CLAIM_NOT_ACCEPTED);
    assertThat(meaning(binding()).cause()).isEqualTo(Cause.CLAIM_NOT_ACCEPTED);
    assertThat(meaning(binding("no claim")).cause()).isEqualTo(Cause.CLAIM_NOT_ACCEPTED);
  }

  @Test
  void isTheProvidersWantOfConsentWhereLessIsAccepted() {
    for (Map<String, Object> other :
        List.<Map<String, Object>>of(
            Map.of("state", "Rejected"),
            Map.of("group", ""),
            Map.of("resource", "mutatingwebhookconfigurations"),
            Map.of("selector", Map.of("matchLabels", Map.of("a", "b"))))) {
      assertThat(meaning(binding(claim(other))).cause()).isEqualTo(Cause.CLAIM_NOT_ACCEPTED);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"get", "list", "watch", "create", "update", "delete"})
  void isTheProvidersWantOfConsentWhereAVerbIsMissing(String missing) {
    List<Object> verbs = ALL.stream().filter(verb -> !verb.equals(missing)).toList();

    assertThat(meaning(binding(claim(Map.of("verbs", verbs)))).cause())
        .isEqualTo(Cause.CLAIM_NOT_ACCEPTED);
  }

  @Test
  void namesTheProvidersWorkspace() {
    assertThat(meaning(binding()).message())
        .contains("in the provider's workspace root:network (logical cluster network1)");
    assertThat(meaning().message())
        .contains("in the provider's workspace (logical cluster network1)");
  }

  private static Blocked meaning(KubeObject... bindings) {
    return BlockedWrite.refused(NETWORK, List.of(bindings), "grant it there", "403 said");
  }

  private static KubeObject binding(Object... claims) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", "deps", "annotations", Map.of("kcp.io/path", "root:network")),
            "spec",
            Map.of("permissionClaims", List.of(claims))));
  }

  private static Map<String, Object> claim(Map<String, Object> other) {
    var claim =
        new HashMap<String, Object>(
            Map.of(
                "group", "admissionregistration.k8s.io",
                "resource", "validatingwebhookconfigurations",
                "verbs", ALL,
                "selector", Map.of("matchAll", true),
                "state", "Accepted"));
    claim.putAll(other);
    return claim;
  }
}
