package dev.mooring.cli.output;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code -o table|json|yaml} of every command that reports something. */
public final class OutputOptions {
  /** How a result is printed; in lower case, as users type it. */
  public enum Format {
    table,
    json,
    yaml
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table, json or yaml (default: ${DEFAULT-VALUE}).")
  private Format format = Format.table;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec command;

  public OutputOptions() {}

  /** With another default than the table. */
  public OutputOptions(Format otherwise) {
    this.format = otherwise;
  }

  /**
   * Prints one of the two.
   *
   * @param tree the same as JSON
   */
  public void print(Table table, Object tree) {
    PrintWriter out = command.commandLine().getOut();
    switch (format) {
      case table -> {
        if (!table.rows().isEmpty()) {
          table.lines().forEach(out::println);
        }
      }
      case json -> out.println(json(tree));
      case yaml -> out.print(yaml(tree));
    }
    out.flush();
  }

  /**
   * Prints maps of the same keys, which are the table's columns. A line break within a value is a
   * semicolon there.
   */
  public void printRows(List<Map<String, Object>> rows) {
    print(
        new Table(
            rows.stream()
                .limit(1)
                .flatMap(row -> row.keySet().stream())
                .map(key -> key.toUpperCase(Locale.ROOT))
                .toList(),
            rows.stream()
                .map(row ->
                    row.values().stream()
                        .map(value -> value.toString().replaceAll("\\s*\\R\\s*", "; "))
                        .toList())
                .toList()),
        rows);
  }

  /**
   * Prints objects: as a v1 List in JSON, as a document each in YAML. Fields are sorted, as kubectl
   * prints them, so that equal objects are equal text.
   *
   * @param comment on an object, such as {@code for kcp}; in YAML the first line of its document.
   *     Empty for none
   */
  public void printObjects(
      Table table, List<KubeObject> objects, Function<KubeObject, String> comment) {
    if (format == Format.yaml) {
      PrintWriter out = command.commandLine().getOut();
      out.print(
          objects.stream()
              .map(object ->
                  comment.apply(object).replaceFirst("(.+)", "# $1\n")
                      + yaml(sorted(object.tree())))
              .collect(Collectors.joining("---\n")));
      out.flush();
    } else {
      List<Object> trees = objects.stream().map(object -> sorted(object.tree())).toList();
      print(table, Trees.ordered("apiVersion", "v1", "kind", "List", "items", trees));
    }
  }

  static Object sorted(Object value) {
    return switch (value) {
      case Map<?, ?> map -> {
        var sorted = new TreeMap<Object, Object>();
        map.forEach((key, item) -> sorted.put(key, sorted(item)));
        yield sorted;
      }
      case List<?> list -> list.stream().map(OutputOptions::sorted).toList();
      case null, default -> value;
    };
  }

  public boolean isYaml() {
    return format == Format.yaml;
  }

  /** For a sentence that sums up; silent unless people read the output. */
  public void printSummary(String text) {
    if (format == Format.table) {
      command.commandLine().getOut().println(text);
      command.commandLine().getOut().flush();
    }
  }

  public static String json(Object tree) {
    return KubeJson.writeText(tree);
  }

  /** One document in block style. */
  public static String yaml(Object tree) {
    var options = new DumperOptions();
    options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
    options.setIndicatorIndent(2);
    options.setIndentWithIndicator(true);
    options.setSplitLines(false);
    return new Yaml(options).dump(Trees.thaw(tree));
  }
}
