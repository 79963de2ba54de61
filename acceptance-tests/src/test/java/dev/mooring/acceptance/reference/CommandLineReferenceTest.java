package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.MooringProgram;
import dev.mooring.runtime.spring.GoFlags;
import dev.mooring.runtime.spring.GoFlags.Flag;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** docs/reference/command-line.md lists the options that the programs have. */
class CommandLineReferenceTest {
  private static final Pattern FLAG = Pattern.compile("(?m)^\\| `--([a-z-]+)` \\| (.+) \\|$");
  private static final Pattern DEFAULT = Pattern.compile("\\(default ([^()]+)\\)$");
  private static final Pattern GO_FLAG = Pattern.compile("Map\\.entry\\(\\s*\"([a-z-]+)\"");

  @ParameterizedTest
  @MethodSource("commands")
  void listsEveryOptionOfMooring(String command) throws IOException {
    CommandSpec spec = MooringProgram.commandLine().getCommandSpec();
    for (String name : command.split(" ")) {
      spec = spec.subcommands().get(name).getCommandSpec();
    }
    mustList("mooring-" + command.replace(' ', '-'), spec);
  }

  /** Those with options, at any depth; the sandbox has a table of its own. */
  static List<String> commands() {
    return commands("", MooringProgram.commandLine())
        .filter(command -> !command.equals("sandbox"))
        .toList();
  }

  private static Stream<String> commands(String above, CommandLine command) {
    return command.getSubcommands().entrySet().stream()
        .flatMap(entry -> {
          String path = above + entry.getKey();
          boolean listed =
              entry.getValue().getCommandSpec().options().stream()
                  .anyMatch(option -> !option.usageHelp() && !option.versionHelp());
          return Stream.concat(
              listed ? Stream.of(path) : Stream.of(), commands(path + " ", entry.getValue()));
        });
  }

  @Test
  void listsEveryCommandAndExitStatusOfMooring() throws IOException {
    CommandLine program = MooringProgram.commandLine();
    var commands = new ArrayList<>(List.of("| Command | Effect |", "|---|---|"));
    addCommands("mooring", program, commands);
    var statuses = new ArrayList<>(List.of("| Status | Meaning |", "|---|---|"));
    program
        .getCommandSpec()
        .usageMessage()
        .exitCodeList()
        .forEach((status, meaning) -> statuses.add("| %s | %s |".formatted(status, meaning)));

    new GeneratedTable("command-line.md", "mooring").mustBe(commands);
    new GeneratedTable("command-line.md", "mooring-exit-status").mustBe(statuses);
  }

  private static void addCommands(String above, CommandLine program, List<String> rows) {
    program
        .getSubcommands()
        .forEach((name, command) -> {
          rows.add(
              "| `%s %s` | %s |"
                  .formatted(
                      above,
                      name,
                      GeneratedTable.cell(
                          command.getCommandSpec().usageMessage().description()[0])));
          addCommands(above + " " + name, command, rows);
        });
  }

  @Test
  void listsEveryOptionOfTheSandbox() throws Exception {
    Class<?> program = loaded("kcp-sandbox-server", "dev.mooring.sandbox.server.SandboxProgram");
    mustList(
        "kcp-sandbox",
        CommandSpec.forAnnotatedObject(program).subcommands().get("start").getCommandSpec());
  }

  @Test
  void listsEveryFlagOfTheSyncAgent() throws Exception {
    assertThat(meanings().keySet()).isEqualTo(flags().keySet());
  }

  @Test
  void statesTheDefaultOfEveryFlagOfTheSyncAgentThatHasOne() throws Exception {
    Map<String, Flag> flags = flags();
    var defaults = new HashMap<String, Object>();
    PropertyReferenceTest.properties("sync-agent")
        .forEach(property ->
            defaults.put(property.get("name").toString(), property.get("defaultValue")));
    defaults.putAll(ofTheSyncAgent("GO_DEFAULTS"));
    var stated = new TreeMap<String, List<String>>();
    var actual = new TreeMap<String, List<String>>();
    meanings()
        .forEach((name, meaning) -> {
          String property = property(flags, name);
          Object value = defaults.get(property);
          if (value != null && !value.equals("")) {
            Matcher words = DEFAULT.matcher(meaning);
            stated.put(name, words.find() ? translated(flags, name, words.group(1)) : List.of());
            actual.put(name, List.of("--" + property + "=" + value));
          }
        });

    assertThat(stated).isEqualTo(actual).containsKeys("log-format", "metrics-address");
  }

  @Test
  void statesWhichFlagsOfTheSyncAgentAreRequired() throws Exception {
    Map<String, Flag> flags = flags();
    List<String> required =
        PropertyReferenceTest.properties("sync-agent").stream()
            .filter(property ->
                property.getOrDefault("description", "").toString().startsWith("Required."))
            .map(property -> property.get("name").toString())
            .toList();
    Map<String, String> stated = meanings();
    stated.values().removeIf(meaning -> !meaning.endsWith(" (required)"));

    assertThat(stated.keySet().stream().map(name -> property(flags, name)))
        .containsExactlyInAnyOrderElementsOf(required);
  }

  /** What the page says of the sync agent's flags, by name. */
  private static Map<String, String> meanings() throws IOException {
    String page = Files.readString(GeneratedTable.LAYOUT.file("docs/reference/command-line.md"));
    String table = page.substring(page.indexOf("| Flag | Meaning |")).split("\n\n", 2)[0];
    var meanings = new TreeMap<String, String>();
    FLAG.matcher(table).results().forEach(row -> meanings.put(row.group(1), row.group(2)));
    return meanings;
  }

  private static Map<String, Flag> flags() throws Exception {
    return ofTheSyncAgent("FLAGS");
  }

  @SuppressWarnings("unchecked")
  private static <T> Map<String, T> ofTheSyncAgent(String constant) throws Exception {
    return (Map<String, T>)
        loaded("sync-agent-service", "dev.mooring.syncagent.CommandLine")
            .getField(constant)
            .get(null);
  }

  /** The property that a flag is another name of. */
  private static String property(Map<String, Flag> flags, String name) {
    String value = flags.get(name) instanceof Flag.Switch ? "true" : "JSON";
    return translated(flags, name, value).getFirst().substring("--".length()).split("=")[0];
  }

  private static List<String> translated(Map<String, Flag> flags, String name, String value) {
    return List.of(GoFlags.toSpring(flags, "--" + name + "=" + value));
  }

  /** The page on migration lists the Go programs' flags with what has become of them. */
  @ParameterizedTest
  @CsvSource({
    "dependency-controller-service,depcontroller/ControllerFlags",
    "dependency-webhook-service,depwebhook/WebhookFlags"
  })
  void listsEveryFlagOfTheGoDependencyController(String module, String type) throws IOException {
    String page =
        Files.readString(
            GeneratedTable.LAYOUT.file("docs/how-to/migrate-from-dependency-controller.md"));
    String source =
        Files.readString(
            GeneratedTable.LAYOUT.file(module + "/src/main/java/dev/mooring/" + type + ".java"));
    List<String> flags =
        GO_FLAG.matcher(source).results().map(found -> "`--" + found.group(1) + "`").toList();

    assertThat(flags).isNotEmpty();
    assertThat(flags.stream().map(flag -> flag.replaceFirst("--zap-.*`", "--zap-…`")))
        .allSatisfy(flag -> assertThat(page).contains(flag));
  }

  private static void mustList(String table, CommandSpec command) throws IOException {
    var rows = new ArrayList<>(List.of("| Option | Meaning |", "|---|---|"));
    command.options().stream()
        .filter(option -> !option.usageHelp() && !option.versionHelp())
        .map(option ->
            row(
                option.longestName(),
                String.join(" ", option.description())
                    .replace("${DEFAULT-VALUE}", preset(option))
                    .replace("${COMPLETION-CANDIDATES}", candidates(option))))
        .forEach(rows::add);

    new GeneratedTable("command-line.md", table).mustBe(rows);
  }

  private static String preset(OptionSpec option) {
    return String.valueOf(
        option.defaultValue() == null ? option.initialValue() : option.defaultValue());
  }

  private static String candidates(OptionSpec option) {
    return option.completionCandidates() == null
        ? ""
        : String.join(", ", option.completionCandidates());
  }

  private static String row(String option, String meaning) {
    return "| `%s` | %s |".formatted(option, GeneratedTable.cell(meaning));
  }

  /** A class of a module that is built before these tests and not on their class path. */
  private static Class<?> loaded(String module, String name) throws Exception {
    URL classes = GeneratedTable.LAYOUT.root().resolve(module + "/target/classes/").toUri().toURL();
    return new URLClassLoader(new URL[] {classes}, CommandLineReferenceTest.class.getClassLoader())
        .loadClass(name);
  }
}
