package dev.mooring.cli.size;

import dev.mooring.cli.CommandFailure;
import dev.mooring.cli.ExitCode;
import dev.mooring.cli.output.OutputOptions;
import dev.mooring.cli.output.Table;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mooring size}. */
@Command(
    name = "size",
    description = {
      "Computes what the sync agent needs for a number of objects, and what kcp carries then, from"
          + " measured costs.",
      "Prints a table and the chart's values; with -o yaml the values alone."
    },
    footer = {
      "%nExamples:",
      "  mooring size --objects 100000 --workspaces 1000",
      "  mooring size --objects 1000000 --object-size 4KiB --workspaces 10000 --shards 10",
      "  mooring size --objects 100000 --writes-per-second 50 -o yaml > values.yaml"
    })
public final class SizeCommand implements Callable<Integer> {
  private static final Pattern SIZE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)(Ki|Mi)?B?");

  @Option(
      names = "--objects",
      paramLabel = "COUNT",
      required = true,
      description = "Consumers' objects of all published types; related objects count as well.")
  private long objects;

  @Option(
      names = "--object-size",
      paramLabel = "SIZE",
      description = "JSON of an object on the average (default: ${DEFAULT-VALUE}).")
  private String size = "1KiB";

  @Option(
      names = "--workspaces",
      paramLabel = "COUNT",
      description = "Consumers' workspaces (default: ${DEFAULT-VALUE}).")
  private long workspaces = 100;

  @Option(
      names = "--shards",
      paramLabel = "COUNT",
      description = "Shards of kcp that have these workspaces (default: ${DEFAULT-VALUE}).")
  private int shards = 1;

  @Option(
      names = "--types",
      paramLabel = "COUNT",
      description = "PublishedResources (default: ${DEFAULT-VALUE}).")
  private int types = 1;

  @Option(
      names = "--writes-per-second",
      paramLabel = "COUNT",
      description =
          "Objects that consumers create in a second at the most; as many get a status, and are"
              + " deleted (default: ${DEFAULT-VALUE}).")
  private double writes = 10;

  @Option(
      names = "--replicas",
      paramLabel = "COUNT",
      description =
          "Replicas that share the work (default: as few as need no more than 4 GiB and one core"
              + " each).")
  private int replicas;

  @Mixin private OutputOptions output;

  @Override
  public Integer call() {
    if (objects < 0 || workspaces < 1 || shards < 1 || types < 1 || writes < 0 || replicas < 0) {
      throw CommandFailure.badInput("a count is less than it can be; see mooring size --help");
    }
    var asked =
        new SyncModel(objects, kib(size), workspaces, shards, types, writes, Math.max(1, replicas));
    SyncModel model = replicas == 0 ? asked.shared() : asked;
    var all = Trees.ordered("needs", model.rows(), "values", model.values());
    output.print(
        new Table(
            List.of("WHAT", "HOW MUCH"),
            model.rows().entrySet().stream()
                .map(row -> List.of(row.getKey(), row.getValue().toString()))
                .toList()),
        output.isYaml() ? model.values() : all);
    output.printSummary("\n# values of the chart\n" + OutputOptions.yaml(model.values()).strip());
    return ExitCode.OK;
  }

  private static double kib(String text) {
    Matcher size = SIZE.matcher(text);
    if (!size.matches()) {
      throw CommandFailure.badInput("--object-size: " + text + " is no size as in 1KiB");
    }
    double number = Double.parseDouble(size.group(1));
    return switch (size.group(2)) {
      case "Ki" -> number;
      case "Mi" -> number * 1024;
      case null, default -> number / 1024;
    };
  }
}
