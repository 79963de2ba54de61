package dev.mooring.benchmarks.common;

import dev.mooring.model.json.KubeJson;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A benchmark's command: measures, prints all figures next to a competitor's, checks limits. */
@Command(mixinStandardHelpOptions = true, showDefaultValues = true, sortOptions = false)
public abstract class BenchmarkProgram implements Callable<Integer> {
  @Option(
      names = "--directory",
      defaultValue = "target/${COMMAND-NAME}",
      description = "For kubeconfigs, logs and other files of the run.")
  protected Path directory;

  @Option(names = "--json", description = "File for the figures.")
  private Path json;

  @Option(names = "--strict", description = "Fail if a target is missed.")
  private boolean strict;

  protected final Figures ours = new Figures();

  /** Stays empty without a competitor. */
  protected final Figures theirs = new Figures();

  /** A figure, and whether it keeps a limit. */
  private record Check(String figure, double measured, double most, String why) {
    boolean met() {
      return measured <= most;
    }
  }

  protected abstract void measure() throws Exception;

  @Override
  public final Integer call() throws Exception {
    Files.createDirectories(directory);
    measure();
    List<Check> checks = checks();
    print(checks);
    if (json != null) {
      write(checks);
    }
    return strict && !checks.stream().allMatch(Check::met) ? 1 : 0;
  }

  protected static void run(BenchmarkProgram program, String[] arguments) {
    System.exit(new CommandLine(program).execute(arguments));
  }

  /** For workspaces of this run alone. */
  protected final Workspaces workspaces(Path kubeconfig, Workspaces.End end) {
    return new Workspaces(kubeconfig, directory, end);
  }

  private List<Check> checks() {
    var checks = new ArrayList<Check>();
    for (Figures.Target target : ours.targets()) {
      OptionalDouble measured = ours.get(target.figure());
      OptionalDouble most = target.limit().most().of(target.figure(), ours, theirs);
      if (measured.isPresent() && most.isPresent()) {
        checks.add(
            new Check(
                target.figure(), measured.getAsDouble(), most.getAsDouble(), target.limit().why()));
      }
    }
    return checks;
  }

  private void print(List<Check> checks) {
    System.out.printf("%n%-60s %12s %12s %8s%n", "figure", "mooring", "competitor", "ratio");
    ours.all()
        .forEach((figure, value) -> {
          OptionalDouble other = theirs.get(figure);
          System.out.printf(
              Locale.ROOT,
              "%-60s %12.2f %12s %8s%n",
              figure,
              value,
              other.isPresent() ? "%.2f".formatted(other.getAsDouble()) : "",
              other.isPresent() && value > 0 ? "%.1f".formatted(other.getAsDouble() / value) : "");
        });
    System.out.printf("%n%-60s %12s %12s%n", "target", "measured", "at most");
    for (Check check : checks) {
      System.out.printf(
          Locale.ROOT,
          "%-60s %12.2f %12.2f  %s (%s)%n",
          check.figure(),
          check.measured(),
          check.most(),
          check.met() ? "met" : "MISSED",
          check.why());
    }
  }

  /** One JSON document: figures by name, targets as a list. */
  private void write(List<Check> checks) throws IOException {
    var document = new LinkedHashMap<String, Object>();
    document.put("mooring", ours.all());
    document.put("competitor", theirs.all());
    document.put(
        "targets",
        checks.stream()
            .map(check ->
                new TreeMap<>(
                    Map.of(
                        "figure", check.figure(),
                        "atMost", check.most(),
                        "why", check.why(),
                        "met", check.met())))
            .toList());
    Files.write(json, KubeJson.write(document));
  }
}
