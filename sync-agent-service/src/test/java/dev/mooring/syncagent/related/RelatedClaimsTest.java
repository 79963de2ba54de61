package dev.mooring.syncagent.related;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.StubServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelatedClaimsTest {
  private static final LogicalCluster CLUSTER = new LogicalCluster("c1");
  private static final ResourceType SECRETS = ResourceType.core("secrets");

  @TempDir private Path directory;

  @ParameterizedTest
  @CsvSource({"Rejected, true", "Accepted, false"})
  void asksTheServerWhatTheConsumerAcceptsAtThisMoment(String state, boolean missing) {
    try (var server = StubServer.start(bindings("secrets", state));
        var connection = server.connect(directory, "", "{token: none}")) {
      assertThat(RelatedClaims.missingNow(connection.client(), CLUSTER, SECRETS).isPresent())
          .isEqualTo(missing);

      assertThat(server.lastAsked().target()).startsWith("/apis/apis.kcp.io/v1alpha2/apibindings");
    }
  }

  @Test
  void missesNothingThatIsNotClaimed() {
    try (var server = StubServer.start(bindings("configmaps", "Rejected"));
        var connection = server.connect(directory, "", "{token: none}")) {
      assertThat(RelatedClaims.missingNow(connection.client(), CLUSTER, SECRETS)).isEmpty();
    }
  }

  @Test
  void saysWhichClaimOfWhichBindingIsMissing() {
    try (var server = StubServer.start(bindings("secrets", "Rejected"));
        var connection = server.connect(directory, "", "{token: none}")) {
      assertThat(RelatedClaims.missingNow(connection.client(), CLUSTER, SECRETS).orElseThrow())
          .contains("APIBinding \"orders\" of workspace c1", "secrets");
    }
  }

  private static StubServer.Script bindings(String resource, String state) {
    return StubServer.replying(
        200,
        "application/json",
        """
        {"kind": "APIBindingList", "apiVersion": "apis.kcp.io/v1alpha2",
         "metadata": {"resourceVersion": "7"},
         "items": [{
           "metadata": {"name": "orders"},
           "spec": {"permissionClaims": [{"group": "", "resource": "%1$s", "state": "%2$s"}]},
           "status": {"exportPermissionClaims": [{"group": "", "resource": "%1$s"}]}}]}
        """
            .formatted(resource, state));
  }
}
