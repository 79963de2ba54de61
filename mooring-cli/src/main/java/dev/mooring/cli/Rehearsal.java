package dev.mooring.cli;

import dev.mooring.harness.Await;
import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.ServiceProcess;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;

/**
 * Commands one after the other in one process, for the JVM to learn from: the cache that {@code
 * ./mooring} makes of it holds the classes of all of them. Commands with a server ask a sandbox in
 * a process of its own.
 */
final class Rehearsal {
  private static final Duration START_MAX = Duration.ofMinutes(2);

  private static final List<String> OFFLINE =
      List.of(
          "--version",
          "--help",
          "lint .",
          "render published.yaml crd.yaml --sample certificate.yaml -o table",
          "render published.yaml crd.yaml --only export,rbac",
          "diff crd.yaml crd-new.yaml",
          "graph rules.yaml",
          "completion bash");

  private static final List<String> LIVE =
      List.of(
          "why namespace default",
          "why namespace default --deletion",
          "why namespace default -o json");

  /** Also where something was found. */
  private static final Set<Integer> WORKED = Set.of(ExitCode.OK, ExitCode.FOUND);

  private Rehearsal() {}

  /**
   * @param arguments the directory of the examples
   */
  public static void main(String[] arguments) throws IOException {
    System.setProperty("logback.configurationFile", "mooring-logback.xml");
    Path examples = Path.of(arguments[0]);
    for (String command : OFFLINE) {
      run(inDirectory(command, examples), WORKED);
    }
    for (String command : MooringProgram.commandLine().getSubcommands().keySet()) {
      run(List.of(command, "--help"), WORKED);
    }
    Path directory = Files.createTempDirectory("mooring-rehearsal");
    Path kubeconfig = directory.resolve("admin.kubeconfig");
    try (var kcp = sandbox(directory)) {
      Await.until(
          "the sandbox listens", START_MAX, kcp::requireAlive, () -> Files.exists(kubeconfig));
      for (String command : LIVE) {
        run(asking(kubeconfig, command), WORKED);
      }
      // The sandbox serves none of Mooring's types.
      run(asking(kubeconfig, "status"), Set.of(ExitCode.BAD_INPUT));
    }
    System.exit(0);
  }

  private static ServiceProcess sandbox(Path directory) {
    return ServiceProcess.start(
        "sandbox",
        ProjectLayout.find()
            .command(
                Program.SANDBOX,
                List.of("start", "--root-directory=" + directory, "--secure-port=0")),
        Map.of(),
        directory.resolve("kcp.log"));
  }

  private static List<String> asking(Path kubeconfig, String command) {
    var words = new ArrayList<>(List.of(command.split(" ")));
    words.add("--kubeconfig=" + kubeconfig);
    return words;
  }

  private static List<String> inDirectory(String command, Path examples) {
    return List.of(command.split(" ")).stream()
        .map(word ->
            word.equals(".") || word.endsWith(".yaml") ? examples.resolve(word).toString() : word)
        .toList();
  }

  /**
   * A command that ends otherwise ends the rehearsal: its classes would be missing in the cache.
   */
  private static void run(List<String> words, Set<Integer> expected) {
    String[] arguments = words.toArray(String[]::new);
    var nowhere = new PrintWriter(Writer.nullWriter());
    CommandLine program =
        MooringProgram.commandLine(MooringProgram.wanted(arguments)).setOut(nowhere);
    int status = program.setErr(new PrintWriter(System.err, true)).execute(arguments);
    if (!expected.contains(status)) {
      throw new IllegalStateException(
          "mooring " + String.join(" ", words) + " ended with " + status);
    }
  }
}
