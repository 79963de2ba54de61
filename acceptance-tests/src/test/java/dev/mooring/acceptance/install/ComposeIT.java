package dev.mooring.acceptance.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.ProjectLayout;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docker-compose.yml, its scripts and its settings, with processes in place of containers: on the
 * sandbox, or on the kcp of {@code KCP_KUBECONFIG} if {@code KCP_CLIENT_CA} and {@code
 * KCP_CLIENT_CA_KEY} name the CA of its clients.
 */
@Tag("full")
class ComposeIT {
  private static final ProjectLayout LAYOUT = ProjectLayout.find();

  @TempDir static Path directory;

  private static Optional<ComposeProject.RunningKcp> runningKcp = Optional.empty();
  private static ComposeProject compose;

  @BeforeAll
  static void up() {
    Shell.require("bash", "kubectl", "openssl");
    runningKcp = runningKcp();
    compose = new ComposeProject(LAYOUT, directory, runningKcp);
    compose.up();
  }

  @AfterAll
  static void down() {
    if (compose != null) {
      compose.close();
      runningKcp.ifPresent(kcp -> {
        admin("root", "delete", "workspace", "mooring", "--ignore-not-found", "--wait=false");
        admin(
            "system:admin",
            "delete",
            "-f",
            LAYOUT.file("charts/mooring/kcp/rbac-shard-system-admin.yaml").toString());
      });
    }
  }

  @Test
  void everyContainerGetsReadyAndTheExampleIsComplete() {
    assertThat(compose.output("consumer"))
        .contains("cannot delete certificates/shop: still referenced by Gateway/web")
        .endsWith("consumer: ready\n");
    assertThat(alice("get", "secret", "shop-tls", "-o", "jsonpath={.type}").output())
        .isEqualTo("kubernetes.io/tls");
  }

  @Test
  void everyContainerHasAHealthCheckOrEnds() {
    assertThat(compose.services())
        .filteredOn(service -> !compose.goesOn(service))
        .containsExactlyInAnyOrder("certificates", "set-up", "consumer");
  }

  @Test
  void noServiceIsAnAdministrator() {
    for (String service : List.of("sync-agent", "dependency-controller", "dependency-webhook")) {
      Shell.Result answer =
          kubectl(
              compose.volume(service).resolve("kcp.kubeconfig"),
              "auth",
              "whoami",
              "-o",
              "jsonpath={.status.userInfo.username}");
      assertThat(answer.output()).isEqualTo("mooring:" + service);
      assertThat(
              kubectl(
                      compose.volume(service).resolve("kcp.kubeconfig"),
                      "create",
                      "configmap",
                      "least",
                      "--dry-run=server")
                  .output())
          .as(service)
          .contains("forbidden");
    }
  }

  @Test
  void isTheSameAfterASecondUp() throws IOException {
    Map<String, String> before = state();

    compose.up();

    assertThat(state()).isEqualTo(before);
  }

  /** What was written, and of what was created the identity and the generation. */
  private static Map<String, String> state() throws IOException {
    var state = new TreeMap<String, String>();
    for (String volume :
        List.of(
            "certificates",
            "sync-agent",
            "dependency-controller",
            "dependency-webhook",
            "consumer")) {
      try (Stream<Path> files = Files.walk(compose.volume(volume))) {
        for (Path file : files.filter(Files::isRegularFile).toList()) {
          state.put(file.toString(), Files.readString(file));
        }
      }
    }
    String generation = "jsonpath={.metadata.uid} {.metadata.generation}";
    state.put(
        "workspace",
        admin("root:mooring", "get", "workspace", "certificates", "-o", generation).output());
    state.put(
        "export",
        admin(
                "root:mooring:certificates",
                "get",
                "apiexport",
                "certificates.example.corp",
                "-o",
                generation)
            .output());
    state.put(
        "rule",
        admin("root:mooring:gateways", "get", "dependencyrule", "gateways", "-o", generation)
            .output());
    state.put(
        "certificate",
        alice("get", "certificates.certificates.example.corp", "shop", "-o", generation).output());
    return state;
  }

  private static Shell.Result alice(String... arguments) {
    return kubectl(compose.volume("consumer").resolve("alice.kubeconfig"), arguments);
  }

  private static Shell.Result admin(String workspace, String... arguments) {
    String context = workspace.equals("system:admin") ? "system:admin" : "root";
    return kubectl(
        compose.volume("kcp").resolve(".kcp/admin.kubeconfig"),
        Stream.concat(
                Stream.of(
                    "--context=" + context,
                    "--server=https://" + compose.address("kcp", 6443) + "/clusters/" + workspace),
                Stream.of(arguments))
            .toArray(String[]::new));
  }

  private static Shell.Result kubectl(Path kubeconfig, String... arguments) {
    return Shell.run(
        Stream.concat(Stream.of("kubectl", "--kubeconfig=" + kubeconfig), Stream.of(arguments))
            .toList(),
        Map.of(),
        LAYOUT.root(),
        Duration.ofSeconds(60));
  }

  private static Optional<ComposeProject.RunningKcp> runningKcp() {
    String kubeconfig = System.getenv("KCP_KUBECONFIG");
    if (kubeconfig == null || kubeconfig.isBlank()) {
      return Optional.empty();
    }
    String ca = System.getenv("KCP_CLIENT_CA");
    String key = System.getenv("KCP_CLIENT_CA_KEY");
    assumeTrue(
        ca != null && key != null,
        "skipped: KCP_CLIENT_CA and KCP_CLIENT_CA_KEY do not name the CA of this kcp's clients");
    URI server = Kubeconfig.read(Path.of(kubeconfig)).server();
    return Optional.of(
        new ComposeProject.RunningKcp(
            Path.of(kubeconfig), server.getAuthority(), Path.of(ca), Path.of(key)));
  }
}
