package dev.mooring.acceptance.install;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.harness.Await;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.ProcessGroup;
import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.ServiceProcess;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * docs/getting-started/on-a-real-kcp.md, command by command, in bash: on the sandbox, or on the kcp
 * of {@code KCP_KUBECONFIG} with the CA of {@code KCP_CLIENT_CA} and {@code KCP_CLIENT_CA_KEY}. The
 * service cluster is the sandbox as plain Kubernetes; {@link HelmStandIn} is its nodes.
 */
@Tag("full")
class WalkIT {
  private static final ProjectLayout LAYOUT = ProjectLayout.find();
  private static final Duration START = Duration.ofSeconds(240);
  private static final Duration WALK = Duration.ofSeconds(1500);
  private static final String MARK = "@@@ block ";

  /** All that an installation could leave where others are, too. */
  private static final String LISTING =
      """
      listing() {
        kubectl --kubeconfig "$CLUSTER_KUBECONFIG" get namespaces,customresourcedefinitions,clusterroles,clusterrolebindings -o name
        kubectl --kubeconfig "$KCP_ADMIN_KUBECONFIG" --server "$KCP_URL/clusters/root" get workspaces,clusterroles,clusterrolebindings -o name
        kubectl --kubeconfig "$KCP_ADMIN_KUBECONFIG" --context system:admin --server "$KCP_URL/clusters/system:admin" get clusterroles,clusterrolebindings -o name
      }
      """;

  /** The other installation comes and goes; then this one answers, syncs and has its rights. */
  private static final String OTHER_IS_REMOVED =
      """
      bash %s
      retry denied
      alice delete certificates.certificates.example.corp shop && exit 1
      example certificate.yaml | sed 's/shop/later/' | alice create -f -
      copies() { [[ $(cluster get certificates.pki.example.corp --all-namespaces -o name | tee /dev/stderr | wc -l) == 2 ]]; }
      retry copies
      kubectl --kubeconfig "$WORK/dependency-controller.kubeconfig" --server "$KCP_URL/clusters/root" get workspaces
      alice delete certificates.certificates.example.corp later
      """;

  @TempDir Path directory;

  /** One installation: what the page asks for, and the service cluster's helm. */
  private record Installation(Map<String, String> given, HelmStandIn helm) {
    String name() {
      return given.get("INSTALLATION");
    }
  }

  /**
   * A second installation is made by the same commands before the first, and works when the first
   * is gone; then it is removed as well. Neither leaves anything.
   */
  @Test
  void everyCommandOfThePageDoesWhatThePageShowsAndRemovesItsOwnInstallationOnly()
      throws Exception {
    Shell.require("bash", "kubectl", "openssl", "curl");
    Page page = Page.read(LAYOUT.file("docs/getting-started/on-a-real-kcp.md"));
    try (var processes = new ProcessGroup()) {
      Map<String, String> kcp = kcp(processes);
      try (HelmStandIn firstHelm = cluster(processes, "first");
          HelmStandIn secondHelm = cluster(processes, "second")) {
        Installation first = installation("walk-first", kcp, firstHelm);
        Installation second = installation("walk-second", kcp, secondHelm);
        assertThat(exported(page.blocks().getFirst().commands()))
            .as("what the page asks for")
            .containsExactlyInAnyOrderElementsOf(first.given().keySet());
        Path walk = script(page, first, "");
        Path both = script(page, second, OTHER_IS_REMOVED.formatted(walk));

        Shell.Result result =
            Shell.run(
                List.of("bash", both.toString()),
                Map.of("HOME", directory.toString()),
                LAYOUT.root(),
                WALK);

        firstHelm.requireAllAlive();
        secondHelm.requireAllAlive();
        for (Installation installation : List.of(second, first)) {
          requireShown(page, installation, result.output());
        }
        assertThat(result.status()).as(result.output()).isZero();
      }
    }
  }

  private static void requireShown(Page page, Installation installation, String output) {
    List<String> outputs = outputs(output, installation, page.blocks().size());
    for (int i = 0; i < page.blocks().size(); i++) {
      Page.Block block = page.blocks().get(i);
      assertThat(block.missingIn(outputs.get(i)))
          .as("%s\nprinted\n%s\nof\n%s\nbut not", block.commands(), outputs.get(i), output)
          .isEmpty();
    }
  }

  /** What the reader is asked to fill in; its names are those of the page's first block. */
  private static Installation installation(String name, Map<String, String> kcp, HelmStandIn helm) {
    var given = new LinkedHashMap<>(kcp);
    given.put("INSTALLATION", name);
    given.put("CLUSTER_KUBECONFIG", helm.clusterKubeconfig().toString());
    given.put("WEBHOOK_PORT", Integer.toString(ComposeProject.freePort()));
    given.put("REGISTRY", "registry.example.org");
    given.put("TAG", "0.1.0");
    return new Installation(given, helm);
  }

  private HelmStandIn cluster(ProcessGroup processes, String name) {
    return new HelmStandIn(
        LAYOUT,
        directory.resolve(name + "-helm"),
        sandbox(processes, name + "-cluster", "--mode=kubernetes"));
  }

  private Map<String, String> kcp(ProcessGroup processes) throws Exception {
    var given = new LinkedHashMap<String, String>();
    String kcp = System.getenv("KCP_KUBECONFIG");
    if (kcp == null || kcp.isBlank()) {
      Path ca = directory.resolve("client-ca");
      Shell.run(
          List.of(
              "openssl",
              "req",
              "-x509",
              "-newkey",
              "rsa:2048",
              "-nodes",
              "-days",
              "2",
              "-subj",
              "/CN=clients",
              "-keyout",
              ca + ".key",
              "-out",
              ca + ".crt"),
          Map.of(),
          directory,
          START);
      given.put("CLIENT_CA", ca + ".crt");
      given.put("CLIENT_CA_KEY", ca + ".key");
      given.put(
          "KCP_ADMIN_KUBECONFIG",
          sandbox(processes, "kcp", "--client-ca-file=" + ca + ".crt").toString());
    } else {
      String ca = System.getenv("KCP_CLIENT_CA");
      String key = System.getenv("KCP_CLIENT_CA_KEY");
      assumeTrue(
          ca != null && key != null,
          "skipped: KCP_CLIENT_CA and KCP_CLIENT_CA_KEY do not name the CA of this kcp's clients");
      given.put("CLIENT_CA", ca);
      given.put("CLIENT_CA_KEY", key);
      given.put("KCP_ADMIN_KUBECONFIG", kcp);
    }
    URI server = Kubeconfig.read(Path.of(given.get("KCP_ADMIN_KUBECONFIG"))).server();
    given.put("KCP_URL", "https://" + server.getAuthority());
    return given;
  }

  private Path sandbox(ProcessGroup processes, String name, String option) {
    Path root = directory.resolve(name);
    ServiceProcess process =
        processes.start(
            name,
            Jars.command(
                LAYOUT,
                Program.SANDBOX,
                List.of(
                    "start",
                    "--root-directory=" + root,
                    "--bind-address=127.0.0.1",
                    "--secure-port=" + ComposeProject.freePort(),
                    option)),
            Map.of(),
            directory.resolve(name + ".log"));
    Path kubeconfig = root.resolve("admin.kubeconfig");
    Await.until(
        "the " + name + " has started",
        START,
        process::requireAlive,
        () -> Files.exists(kubeconfig));
    return kubeconfig;
  }

  /**
   * The page's commands as one script.
   *
   * @param beforeRemoval commands before the last block
   */
  private Path script(Page page, Installation installation, String beforeRemoval) throws Exception {
    HelmStandIn helm = installation.helm();
    var script = new StringBuilder("set -euo pipefail\n");
    script.append("export PATH='%s':\"$PATH\"\n".formatted(helm.bin()));
    installation
        .given()
        .forEach((name, value) -> script.append("export %s='%s'\n".formatted(name, value)));
    script.append(LISTING).append("before=$(listing)\n");
    for (int i = 0; i < page.blocks().size(); i++) {
      Page.Block block = page.blocks().get(i);
      if (i == page.blocks().size() - 1) {
        script.append(beforeRemoval);
      }
      script.append("echo '%s%s %d'\n".formatted(MARK, installation.name(), i));
      if (i > 0) {
        script
            .append(block.fails() ? "set +e\n" : "")
            .append(helm.mapped(block.commands()))
            .append("set -e\n");
      }
    }
    script.append("echo '%s%s left'\n".formatted(MARK, installation.name()));
    script.append("diff <(echo \"$before\") <(listing)\n");
    Path file = directory.resolve(installation.name() + ".sh");
    Files.writeString(file, script);
    return file;
  }

  private static List<String> exported(String commands) {
    return commands.lines().map(line -> line.replaceFirst("^export (\\w+)=.*", "$1")).toList();
  }

  /** What each block printed; empty for those that were not reached. */
  private static List<String> outputs(String output, Installation installation, int blocks) {
    var outputs = new ArrayList<>(Stream.generate(() -> "").limit(blocks).toList());
    for (String part : output.split(MARK)) {
      int end = part.indexOf('\n');
      String head = part.substring(0, Math.max(0, end));
      if (head.matches(Pattern.quote(installation.name()) + " \\d+")) {
        outputs.set(
            Integer.parseInt(head.substring(head.indexOf(' ') + 1)), part.substring(end + 1));
      }
    }
    return outputs;
  }
}
