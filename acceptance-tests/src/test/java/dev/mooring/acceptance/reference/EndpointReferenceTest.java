package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.dependency.WebhookContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/reference/endpoints.md lists the paths that the services' code serves, and no others. */
class EndpointReferenceTest {
  private static final List<String> MODULES =
      List.of("sync-agent-service", "dependency-controller-service", "dependency-webhook-service");
  private static final Pattern ENDPOINT = Pattern.compile("@Endpoint\\(id = \"(\\w+)\"\\)");
  private static final Pattern OPERATION =
      Pattern.compile("@(Read|Write|Delete)Operation(.*?)\\{", Pattern.DOTALL);
  private static final Pattern LISTED =
      Pattern.compile("`(GET|POST|DELETE) (/actuator/(?:status|resync|blockers)[^`?]*)");
  private static final Pattern PLAIN = Pattern.compile("\"(/\\w+)\",");

  @Test
  void listsEveryActuatorEndpointOfMooring() throws IOException {
    String page = page("endpoints.md");
    var listed = new TreeSet<String>();
    page.lines()
        .filter(line -> line.startsWith("| `"))
        .forEach(line ->
            LISTED
                .matcher(line)
                .results()
                .map(found -> found.group(1) + " " + found.group(2).replaceAll("<[^>]+>", "<>"))
                .forEach(listed::add));

    assertThat((Set<String>) listed).isEqualTo(served());
  }

  @Test
  void listsThePathsThatTheWebhookServes() throws IOException {
    assertThat(page("endpoints.md"))
        .contains(
            "`POST " + WebhookContract.VALIDATE_PATH + "/",
            WebhookContract.NOTIFY_PATH + "`",
            WebhookContract.WARN_PATH + "`");
  }

  @Test
  void listsThePathsOfTheSyncAgentsFlags() throws IOException {
    String source =
        Files.readString(
            GeneratedTable.LAYOUT.file(
                "sync-agent-service/src/main/java/dev/mooring/syncagent/config/PlainEndpoints.java"));
    List<String> paths =
        PLAIN.matcher(source).results().map(found -> "`" + found.group(1) + "`").toList();

    assertThat(paths).isNotEmpty();
    assertThat(page("command-line.md")).contains(paths);
  }

  private static Set<String> served() throws IOException {
    var served = new TreeSet<String>();
    for (String module : MODULES) {
      try (Stream<Path> files =
          Files.walk(GeneratedTable.LAYOUT.root().resolve(module + "/src/main/java"))) {
        for (Path file : files.filter(path -> path.toString().endsWith("Endpoint.java")).toList()) {
          String source = Files.readString(file);
          Matcher endpoint = ENDPOINT.matcher(source);
          if (endpoint.find()) {
            OPERATION
                .matcher(source)
                .results()
                .map(operation -> path(endpoint.group(1), operation))
                .forEach(served::add);
          }
        }
      }
    }
    return served;
  }

  private static String path(String endpoint, MatchResult operation) {
    String method = operation.group(1).equals("Read") ? "GET" : "POST";
    int selectors = operation.group(2).split("@Selector", -1).length - 1;
    return method + " /actuator/" + endpoint + "/<>".repeat(selectors);
  }

  private static String page(String name) throws IOException {
    return Files.readString(GeneratedTable.LAYOUT.file("docs/reference/" + name));
  }
}
