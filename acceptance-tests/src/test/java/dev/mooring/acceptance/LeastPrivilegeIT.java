package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.awaitSecret;
import static dev.mooring.acceptance.Objects.certificate;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.cli.live.Types;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/**
 * The services' users have the rights of the shipped manifests and no others, in all acceptance
 * tests; this one runs after all that take no right away and looks whether the servers ever refused
 * them anything.
 */
@ExtendWith(Mooring.class)
@Order(Integer.MAX_VALUE - 2)
class LeastPrivilegeIT {
  /** By the other test here. */
  private static final String ASKED_ON_PURPOSE = "create resource \"serviceaccounts\"";

  private static final ResourceType SERVICE_ACCOUNTS = ResourceType.core("serviceaccounts");

  @Test
  void theServicesNeedNothingThatTheShippedManifestsDoNotGrant(Mooring.Running running) {
    Suite suite = running.suite();
    assumeTrue(
        suite.choice() instanceof KcpChoice.Sandbox, "skipped: the log of another kcp is not ours");
    running.stage().blue().client().create(Types.CERTIFICATES, certificate("least", "l.example"));
    awaitReady(running.stage().blue(), "least");
    awaitSecret(running.stage().blue(), "least-tls");

    List<String> refused =
        Stream.of("kcp", "service cluster")
            .flatMap(server -> suite.serverLog(server).stream())
            .filter(line -> line.contains("Access denied"))
            .filter(line ->
                Stream.of(
                        Program.SYNC_AGENT,
                        Program.DEPENDENCY_CONTROLLER,
                        Program.DEPENDENCY_WEBHOOK)
                    .anyMatch(service -> line.contains(user(suite, service))))
            .filter(line -> !line.contains(ASKED_ON_PURPOSE))
            .toList();

    assertThat(refused).isEmpty();
  }

  @Test
  void theServicesAreNoAdministrators(Mooring.Running running) {
    assumeTrue(
        running.suite().userInKcp(Program.SYNC_AGENT).isPresent(),
        "skipped: neither KCP_CLIENT_CA nor KCP_TOKENS is set");

    for (String service : List.of("sync-agent", "dependency-controller", "dependency-webhook")) {
      try (var connection =
          KubeConnection.fromKubeconfig(
              running.suite().directory().resolve(service + "-kcp.kubeconfig"),
              ConnectionOptions.of("acceptance"))) {
        assertThatExceptionOfType(KubeFailure.class)
            .as(service)
            .isThrownBy(() -> connection.client().create(SERVICE_ACCOUNTS, someAccount()))
            .matches(failure -> failure.kind() == KubeFailure.Kind.FORBIDDEN);
      }
    }
  }

  private static KubeObject someAccount() {
    return KubeObject.of(
        Map.of(
            "apiVersion", "v1",
            "kind", "ServiceAccount",
            "metadata", Map.of("namespace", "default", "generateName", "least-")));
  }

  private static String user(Suite suite, Program service) {
    return "User \"" + suite.userInKcp(service).orElseThrow() + "\"";
  }
}
