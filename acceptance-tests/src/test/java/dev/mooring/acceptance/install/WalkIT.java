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
  private static final Duration WALK = Duration.ofSeconds(540);
  private static final String MARK = "@@@ block ";

  @TempDir Path directory;

  @Test
  void everyCommandOfThePageDoesWhatThePageShows() throws Exception {
    Shell.require("bash", "kubectl", "openssl", "curl");
    Page page = Page.read(LAYOUT.file("docs/getting-started/on-a-real-kcp.md"));
    try (var processes = new ProcessGroup()) {
      Map<String, String> given = servers(processes);
      int admission = ComposeProject.freePort();
      given.put("WEBHOOK_URL", "https://127.0.0.1:" + admission);
      given.put("REGISTRY", "registry.example.org");
      given.put("TAG", "0.1.0");
      try (var helm =
          new HelmStandIn(LAYOUT, directory, Path.of(given.get("CLUSTER_KUBECONFIG")), admission)) {
        Shell.Result result = walk(page, given, helm);

        helm.requireAllAlive();
        List<String> outputs = outputs(result.output(), page.blocks().size());
        for (int i = 0; i < page.blocks().size(); i++) {
          Page.Block block = page.blocks().get(i);
          assertThat(block.missingIn(outputs.get(i)))
              .as(
                  "%s\nprinted\n%s\nof\n%s\nbut not",
                  block.commands(), outputs.get(i), result.output())
              .isEmpty();
        }
        assertThat(result.status()).as(result.output()).isZero();
      }
    }
  }

  /** What the reader is asked to fill in; its names are those of the page's first block. */
  private Map<String, String> servers(ProcessGroup processes) throws Exception {
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
    given.put("CLUSTER_KUBECONFIG", sandbox(processes, "cluster", "--mode=kubernetes").toString());
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

  private Shell.Result walk(Page page, Map<String, String> given, HelmStandIn helm)
      throws Exception {
    assertThat(exported(page.blocks().getFirst().commands()))
        .as("what the page asks for")
        .containsExactlyInAnyOrderElementsOf(given.keySet());
    var script = new StringBuilder("set -euo pipefail\n");
    given.forEach((name, value) -> script.append("export %s='%s'\n".formatted(name, value)));
    for (int i = 0; i < page.blocks().size(); i++) {
      Page.Block block = page.blocks().get(i);
      script.append("echo '").append(MARK).append(i).append("'\n");
      if (i > 0) {
        script
            .append(block.fails() ? "set +e\n" : "")
            .append(helm.mapped(block.commands()))
            .append("set -e\n");
      }
    }
    Path file = directory.resolve("walk.sh");
    Files.writeString(file, script);
    return Shell.run(
        List.of("bash", file.toString()),
        Map.of("PATH", helm.bin() + ":" + System.getenv("PATH"), "HOME", directory.toString()),
        LAYOUT.root(),
        WALK);
  }

  private static List<String> exported(String commands) {
    return commands.lines().map(line -> line.replaceFirst("^export (\\w+)=.*", "$1")).toList();
  }

  /** What each block printed; empty for those that were not reached. */
  private static List<String> outputs(String output, int blocks) {
    var outputs = new ArrayList<>(Stream.generate(() -> "").limit(blocks).toList());
    String[] parts = output.split(MARK);
    for (int i = 1; i < parts.length; i++) {
      outputs.set(i - 1, parts[i].substring(parts[i].indexOf('\n') + 1));
    }
    return outputs;
  }
}
