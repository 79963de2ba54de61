package dev.mooring.sandbox.security.rbac;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

class EscalationTest {
  private static final UserInfo ALICE = UserInfo.of("alice", "team", "system:authenticated");

  @Test
  void grantingWhatOneHoldsIsNoEscalation() {
    assertThat(
            Escalation.refusal(
                ALICE,
                List.of(rule("get", "secrets"), rule("list", "secrets"), rule("get", "configmaps")),
                List.of(
                    new PolicyRule(
                        List.of("get", "list"),
                        List.of(""),
                        List.of("secrets"),
                        List.of("one"),
                        List.of()))))
        .isEmpty();
  }

  @Test
  void missingRightsAreListed() {
    assertThat(
            Escalation.refusal(
                ALICE,
                List.of(rule("get", "configmaps")),
                List.of(
                    new PolicyRule(
                        List.of("get", "list"),
                        List.of(""),
                        List.of("secrets", "configmaps"),
                        List.of(),
                        List.of()))))
        .contains(
            """
            user "alice" (groups=["team" "system:authenticated"]) is attempting to grant RBAC \
            permissions not currently held:
            {APIGroups:[""], Resources:["configmaps"], Verbs:["list"]}
            {APIGroups:[""], Resources:["secrets"], Verbs:["get"]}
            {APIGroups:[""], Resources:["secrets"], Verbs:["list"]}\
            """);
  }

  @Test
  void holdingOneNameIsNotHoldingAll() {
    PolicyRule named =
        new PolicyRule(List.of("get"), List.of(""), List.of("secrets"), List.of("one"), List.of());

    assertThat(Escalation.refusal(ALICE, List.of(named), List.of(rule("get", "secrets"))))
        .isPresent();
    assertThat(Escalation.refusal(ALICE, List.of(rule("get", "secrets")), List.of(named)))
        .isEmpty();
  }

  @Test
  void fullAuthorityCoversEverything() {
    var url = new PolicyRule(List.of("access"), List.of(), List.of(), List.of(), List.of("/"));

    assertThat(
            Escalation.refusal(
                ALICE, Escalation.FULL_AUTHORITY, List.of(rule("delete", "x/y"), url)))
        .isEmpty();
    assertThat(Escalation.refusal(ALICE, List.of(), List.of(url)))
        .hasValueSatisfying(
            text -> assertThat(text).endsWith("{NonResourceURLs:[\"/\"], Verbs:[\"access\"]}"));
  }

  private static PolicyRule rule(String verb, String resource) {
    return new PolicyRule(List.of(verb), List.of(""), List.of(resource), List.of(), List.of());
  }
}
