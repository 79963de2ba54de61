package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.syncagent.related.decide.ClaimVisibility;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PermissionClaimsTest {
  private static final LogicalCluster CLUSTER = new LogicalCluster("c1");
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  @TempDir private Path directory;

  private static final Map<String, Class<? extends ClaimVisibility>> SIGHTS =
      Map.of(
          "rejected", ClaimVisibility.None.class,
          "accepted", ClaimVisibility.Full.class,
          "narrowed", ClaimVisibility.Partial.class,
          "being accepted", ClaimVisibility.Pending.class,
          "being widened", ClaimVisibility.Pending.class);
  private static final String ALL = "{\"matchAll\": true}";
  private static final String SOME = "{\"matchLabels\": {\"share\": \"yes\"}}";

  @ParameterizedTest
  @CsvSource({
    "rejected, Rejected, all, all",
    "accepted, Accepted, all, all",
    "narrowed, Accepted, some, some",
    "being accepted, Accepted, all, none",
    "being widened, Accepted, all, some"
  })
  void asksTheServerWhatTheConsumerShowsAtThisMoment(
      String visibility, String state, String selector, String applied) {
    try (var server = StubServer.start(bindings("secrets", state, selector, applied));
        var connection = server.connect(directory, "", "{token: none}")) {
      assertThat(PermissionClaims.visibilityNow(connection.client(), CLUSTER, Set.of(SECRETS)))
          .isInstanceOf(SIGHTS.get(visibility));

      assertThat(server.lastAsked().target()).startsWith("/apis/apis.kcp.io/v1alpha2/apibindings");
    }
  }

  @Test
  void missesNothingThatIsNotClaimed() {
    try (var server = StubServer.start(bindings("configmaps", "Rejected", "all", "none"));
        var connection = server.connect(directory, "", "{token: none}")) {
      assertThat(PermissionClaims.visibilityNow(connection.client(), CLUSTER, Set.of(SECRETS)))
          .isEqualTo(new ClaimVisibility.Full());
    }
  }

  @ParameterizedTest
  @CsvSource({"Rejected, all, does not accept", "Accepted, some, only with a selector"})
  void saysWhichClaimOfWhichBindingIsMissing(String state, String selector, String what) {
    try (var server = StubServer.start(bindings("secrets", state, selector, selector));
        var connection = server.connect(directory, "", "{token: none}")) {
      assertThat(
              PermissionClaims.visibilityNow(connection.client(), CLUSTER, Set.of(SECRETS))
                  .toString())
          .contains("APIBinding \"orders\" of workspace c1", "claim for secrets", what);
    }
  }

  private static StubServer.Script bindings(
      String resource, String state, String selector, String applied) {
    String claim = "\"group\": \"\", \"resource\": \"" + resource + "\"";
    return StubServer.replying(
        200,
        "application/json",
        """
        {"kind": "APIBindingList", "apiVersion": "apis.kcp.io/v1alpha2",
         "metadata": {"resourceVersion": "7"},
         "items": [{
           "metadata": {"name": "orders"},
           "spec": {"permissionClaims": [{%1$s, "state": "%2$s", "selector": %3$s}]},
           "status": {"exportPermissionClaims": [{%1$s}],
                      "appliedPermissionClaims": [%4$s]}}]}
        """
            .formatted(
                claim,
                state,
                selector.equals("all") ? ALL : SOME,
                applied.equals("none")
                    ? ""
                    : "{%s, \"selector\": %s}"
                        .formatted(claim, applied.equals("all") ? ALL : SOME)));
  }
}
