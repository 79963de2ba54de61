package dev.mooring.sandbox.kcp.binding.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClaimPlannerTest {
  private static final String NOW = "2026-11-21T10:00:00Z";
  private static final ClaimedResource CONFIG_MAPS = new ClaimedResource("", "configmaps", "");
  private static final ClaimedResource SECRETS = new ClaimedResource("", "secrets", "");
  private static final String ALL = "{\"matchAll\": true}";

  private static KubeObject export(String... resources) {
    return object(
        List.of(resources).stream()
            .map("{\"group\": \"\", \"resource\": \"%s\", \"verbs\": [\"*\"]}"::formatted)
            .collect(Collectors.joining(",")));
  }

  private static String answer(String resource, String state, String selector) {
    return """
    {"group": "", "resource": "%s", "verbs": ["*"], "state": "%s", "selector": %s}\
    """
        .formatted(resource, state, selector);
  }

  private static KubeObject object(String... claims) {
    return KubeJson.readObject(
        "{\"metadata\": {\"name\": \"b\"}, \"spec\": {\"permissionClaims\": ["
            + String.join(",", claims)
            + "]}}");
  }

  private static String message(KubeObject binding) {
    return binding.list("status", "conditions").stream()
        .filter(condition -> ClaimPlanner.VALID.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.textOrEmpty(Trees.at(condition, "message")))
        .findFirst()
        .orElseThrow();
  }

  @Test
  void appliesWhatBothNameAndRelabelsIt() {
    var applied =
        ClaimPlanner.apply(
            object(answer("configmaps", "Accepted", ALL)), export("configmaps"), Set.of(), NOW);

    assertThat(applied.relabel()).containsExactly(CONFIG_MAPS);
    assertThat(applied.binding().list("status", "appliedPermissionClaims")).hasSize(1);
    assertThat(applied.binding().hasCondition(ClaimPlanner.APPLIED)).isTrue();
    assertThat(applied.binding().hasCondition(ClaimPlanner.VALID)).isTrue();
  }

  @Test
  void changesNothingWhenAppliedAgain() {
    KubeObject export = export("configmaps");
    KubeObject once =
        ClaimPlanner.apply(object(answer("configmaps", "Accepted", ALL)), export, Set.of(), NOW)
            .binding();
    var again = ClaimPlanner.apply(once, export, Set.of(), NOW);

    assertThat(again.binding()).isEqualTo(once);
    assertThat(again.relabel()).isEmpty();
  }

  @Test
  void ignoresARejectedClaimAndOneThatHasNoAnswer() {
    var applied =
        ClaimPlanner.apply(
            object(answer("configmaps", "Rejected", ALL)),
            export("configmaps", "secrets"),
            Set.of(),
            NOW);

    assertThat(applied.relabel()).isEmpty();
    assertThat(applied.binding().at("status", "appliedPermissionClaims")).isNull();
    assertThat(applied.binding().hasCondition(ClaimPlanner.VALID)).isTrue();
  }

  @Test
  void reportsAnAcceptedClaimThatTheExportDoesNotMake() {
    var applied =
        ClaimPlanner.apply(
            object(answer("secrets", "Accepted", ALL)), export("configmaps"), Set.of(), NOW);

    assertThat(applied.relabel()).isEmpty();
    assertThat("False".equals(applied.binding().condition(ClaimPlanner.VALID))).isTrue();
    assertThat(message(applied.binding()))
        .isEqualTo(
            "1 unexpected and/or invalid permission claims (showing first 1):"
                + " unexpected/invalid claim for secrets. (identity \"\")");
  }

  @Test
  void namesTenUnexpectedClaimsAndCountsAll() {
    String[] claims =
        IntStream.range(0, 12)
            .mapToObj(i -> answer("things" + i, "Accepted", ALL))
            .toArray(String[]::new);
    var applied = ClaimPlanner.apply(object(claims), export("configmaps"), Set.of(), NOW);

    assertThat(message(applied.binding()))
        .startsWith("12 unexpected")
        .contains("(showing first 10)");
    assertThat(message(applied.binding()).split("invalid claim for")).hasSize(11);
  }

  @Test
  void relabelsWhatIsWithdrawnAndWhatHasAnotherSelector() {
    KubeObject before =
        ClaimPlanner.apply(
                object(answer("configmaps", "Accepted", ALL), answer("secrets", "Accepted", ALL)),
                export("configmaps", "secrets"),
                Set.of(),
                NOW)
            .binding();
    KubeObject now =
        before.with(
            object(answer("configmaps", "Accepted", "{\"matchLabels\": {\"a\": \"b\"}}"))
                .list("spec", "permissionClaims"),
            "spec",
            "permissionClaims");
    var applied = ClaimPlanner.apply(now, export("configmaps", "secrets"), Set.of(), NOW);

    assertThat(applied.relabel()).containsExactlyInAnyOrder(CONFIG_MAPS, SECRETS);
  }

  @Test
  void warnsOfVerbsAndSelectorsThatDifferFromWhatTheExportAsksFor() {
    KubeObject export =
        object(
            """
            {"group": "", "resource": "configmaps", "verbs": ["get", "list"],
             "defaultSelector": {"matchAll": true}},
            {"group": "", "resource": "secrets", "verbs": ["*"]}
            """);
    var applied =
        ClaimPlanner.apply(
            object(
                """
                {"group": "", "resource": "secrets", "verbs": ["get"], "state": "Accepted",
                 "selector": {"matchAll": true}},
                {"group": "", "resource": "configmaps", "verbs": ["get"], "state": "Accepted",
                 "selector": {"matchLabels": {"a": "b"}}}
                """),
            export,
            Set.of(),
            NOW);

    assertThat(message(applied.binding()))
        .isEqualTo(
            "1 permission claim(s) have mismatched verbs or selectors (showing first 1):"
                + " configmaps. (verbs: accepted [get], exported [get list]; selector differs from"
                + " defaultSelector)");
    assertThat(applied.relabel()).containsExactly(CONFIG_MAPS, SECRETS);
  }
}
