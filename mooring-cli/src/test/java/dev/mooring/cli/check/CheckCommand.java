package dev.mooring.cli.check;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.ProjectLayout;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code ./protection-check}: exit status 0 only if every property of dependency protection holds.
 */
@Command(
    name = "protection-check",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Checks dependency protection and prints a line for each property.",
      "With KCP_KUBECONFIG set, on that kcp, which must reach this machine's loopback, in"
          + " workspaces of its own that are removed afterwards; otherwise on the sandbox.",
      "KCP_CLIENT_CA and KCP_CLIENT_CA_KEY name certificate and key of an authority whose client"
          + " certificates that kcp accepts: the services then log in with certificates of their"
          + " own, as users with the rights of the shipped manifests."
    },
    footer = {"%nExamples:", "  ./protection-check", "  ./protection-check --only W1,W8"})
public final class CheckCommand implements Callable<Integer> {
  @Option(
      names = "--only",
      paramLabel = "ID",
      split = ",",
      description = "Only these properties, such as W1,W2; others may have to hold for them.")
  private List<String> only = List.of();

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "For kubeconfigs, data and logs (default: .protection-check in the clone).")
  private Path directory;

  @Option(
      names = "--load-seconds",
      paramLabel = "SECONDS",
      description =
          "How long deletions go on at least while something is replaced (default: as short as"
              + " possible).")
  private int loadSeconds;

  public static void main(String[] arguments) {
    System.setProperty("logback.configurationFile", "mooring-logback.xml");
    System.exit(new CommandLine(new CheckCommand()).execute(arguments));
  }

  /** All properties, in the order in which they are to be tried. */
  public static List<Check> checks(ProtectionEnvironment environment) {
    var checks = new ArrayList<Check>();
    Stream.of(
            new DeletionChecks(environment).all(),
            new TakeoverChecks(environment).all(),
            new InstallationChecks(environment).all(),
            new WebhookChecks(environment).all(),
            new PermissionChecks(environment).all())
        .forEach(checks::addAll);
    return List.copyOf(checks);
  }

  @Override
  public Integer call() {
    ProjectLayout layout = ProjectLayout.find();
    Path home = directory == null ? layout.root().resolve(".protection-check") : directory;
    Path absolute = home.toAbsolutePath().normalize();
    try (ProtectionEnvironment environment =
        ProtectionEnvironment.prepare(
            layout,
            absolute,
            PortPlan.free(),
            KcpChoice.fromEnvironment(),
            Duration.ofSeconds(loadSeconds))) {
      int failed = 0;
      int tried = 0;
      for (Check check : checks(environment)) {
        if (only.isEmpty() || only.contains(check.id())) {
          tried++;
          failed += holds(check) ? 0 : 1;
        }
      }
      System.out.printf("%d properties tried, %d do not hold%n", tried, failed);
      return failed == 0 && tried > 0 ? 0 : 1;
    } catch (HarnessFailure e) {
      System.err.println("The checks could not be made: " + e.getMessage());
      return 1;
    }
  }

  private static boolean holds(Check check) {
    try {
      check.trial().run();
      System.out.printf("ok      %-21s %s%n", check.id(), check.claim());
      return true;
    } catch (Exception e) {
      System.out.printf(
          "FAILED  %-21s %s%n        %s%n", check.id(), check.claim(), e.getMessage());
      return false;
    }
  }
}
