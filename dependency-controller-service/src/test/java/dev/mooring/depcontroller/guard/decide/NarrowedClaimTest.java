package dev.mooring.depcontroller.guard.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class NarrowedClaimTest {
  private static final Map<String, Object> LABELLED = Map.of("matchLabels", Map.of("share", "yes"));
  private static final Map<String, Object> ALL = Map.of("matchAll", true);

  @Test
  void namesTheBindingAndWhatToDo() {
    assertThat(
            BlockedWrite.narrowed(List.of(binding("deps", "Accepted", LABELLED)))
                .map(Installation.Blocked::message))
        .hasValue(
            "the provider's APIBinding deps accepts the permission claim for"
                + " validatingwebhookconfigurations only with a selector, which hides"
                + " dependency-controller from the controller, so that it can neither be written"
                + " nor removed: accept the claim with selector {matchAll: true}");
  }

  @Test
  void isNoneWhereABindingShowsAllOrNoneShowsAny() {
    assertThat(BlockedWrite.narrowed(List.of())).isEmpty();
    assertThat(BlockedWrite.narrowed(List.of(binding("deps", "Accepted", ALL)))).isEmpty();
    assertThat(BlockedWrite.narrowed(List.of(binding("deps", "Accepted", Map.of())))).isEmpty();
    assertThat(BlockedWrite.narrowed(List.of(binding("deps", "Rejected", LABELLED)))).isEmpty();
    assertThat(
            BlockedWrite.narrowed(
                List.of(binding("a", "Accepted", LABELLED), binding("b", "Accepted", ALL))))
        .isEmpty();
  }

  private static KubeObject binding(String name, String state, Map<String, Object> selector) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", name),
            "spec",
            Map.of(
                "permissionClaims",
                List.of(
                    Map.of("resource", "secrets", "state", "Accepted", "selector", LABELLED),
                    Map.of(
                        "group",
                        "admissionregistration.k8s.io",
                        "resource",
                        "validatingwebhookconfigurations",
                        "state",
                        state,
                        "selector",
                        selector)))));
  }
}
