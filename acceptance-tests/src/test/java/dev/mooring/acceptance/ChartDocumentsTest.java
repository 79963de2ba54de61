package dev.mooring.acceptance;

import static dev.mooring.acceptance.Chart.ofKind;
import static dev.mooring.acceptance.Chart.render;
import static org.assertj.core.api.Assertions.assertThat;

import com.marcnuri.helm.Helm;
import com.marcnuri.helm.TemplateCommand;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

/** What is written about the chart: its README, the installation guide, and what Helm prints. */
class ChartDocumentsTest {
  private static final Pattern KEY = Pattern.compile("( *)([A-Za-z]+):( .*)?");
  private static final Pattern HELM =
      Pattern.compile("helm (?:install|template) (?:[a-z-]+ )?charts/mooring (?:.*\\\\\n)*.*");
  private static final Pattern PLACE = Pattern.compile("kcpManifests.place=([a-z-]+)");
  private static final Pattern SET = Pattern.compile("--set(?:-string)? '?([^=\\s]+)=([^\\s'|]*)");

  /** The table is made from values.yaml: put what this test expects into the README. */
  @Test
  void listsEveryValueWithItsDefaultInTheReadme() throws IOException {
    String readme = Files.readString(Chart.DIRECTORY.resolve("README.md"));
    String table = readme.substring(readme.indexOf("| Value |"));

    List<String> rows = new ArrayList<>(List.of("| Value | Default | |", "|---|---|---|"));
    rows.addAll(rows());
    assertThat(table.lines()).containsExactlyElementsOf(rows);
  }

  /** One row for each value that is no map of others, with the comment above it. */
  private static List<String> rows() throws IOException {
    Object values = new Yaml().load(Files.readString(Chart.DIRECTORY.resolve("values.yaml")));
    var rows = new ArrayList<String>();
    var parents = new ArrayDeque<String>();
    var comment = new StringBuilder();
    for (String line : Files.readAllLines(Chart.DIRECTORY.resolve("values.yaml"))) {
      Matcher key = KEY.matcher(line);
      if (line.strip().startsWith("# - ") || line.startsWith("#  ")) {
        continue; // an example
      } else if (line.strip().startsWith("#")) {
        comment.append(comment.isEmpty() ? "" : " ").append(line.strip().substring(1).strip());
      } else if (!key.matches()) {
        comment.setLength(0);
      } else {
        while (parents.size() > key.group(1).length() / 2) {
          parents.removeLast();
        }
        parents.addLast(key.group(2));
        if (key.group(3) != null) {
          rows.add(
              "| `%s` | `%s` | %s |"
                  .formatted(
                      String.join(".", parents),
                      key.group(3).strip(),
                      comment.toString().replace("|", "\\|")));
        } else if (!(Trees.at(values, parents.toArray(String[]::new)) instanceof Map)) {
          throw new AssertionError("values.yaml: say " + parents + " in its own line");
        }
        comment.setLength(0);
      }
    }
    return rows;
  }

  @Test
  void rendersWhatTheInstallationGuideSetsWithTheImagesThatItBuilds() throws IOException {
    String guide = Files.readString(Chart.LAYOUT.file("docs/how-to/install.md"));
    List<String> installs =
        commands(guide).filter(command -> !command.contains("kcpManifests.place")).toList();

    assertThat(installs).hasSize(2);
    var images = new TreeSet<String>();
    for (String install : installs) {
      assertThat(install).contains("charts/mooring -n mooring-system --create-namespace");
      for (KubeObject deployment : ofKind(rendered(install), "Deployment")) {
        images.add(Trees.textOrEmpty(Trees.at(Chart.container(deployment), "image")));
        for (Object volume : deployment.list("spec", "template", "spec", "volumes")) {
          String secret = Trees.textOrEmpty(Trees.at(volume, "secret", "secretName"));
          assertThat(secret.isEmpty() || guide.contains("create secret generic " + secret + " "))
              .as(secret)
              .isTrue();
        }
      }
    }
    assertThat(guide).contains("REGISTRY=registry.example.org TAG=0.1.0");
    assertThat(images)
        .containsExactly(
            "registry.example.org/mooring/dependency-controller:0.1.0",
            "registry.example.org/mooring/dependency-webhook:0.1.0",
            "registry.example.org/mooring/sync-agent:0.1.0");
    assertThat(guide.indexOf("kubectl create namespace mooring-system"))
        .isPositive()
        .isLessThan(guide.indexOf("kubectl -n mooring-system create secret"));
  }

  @Test
  void rendersEveryPlaceThatTheGuidesName() throws IOException {
    var places = new TreeSet<String>();
    for (String page : List.of("docs/how-to/install.md", "docs/reference/permissions.md")) {
      for (String command : commands(Files.readString(Chart.LAYOUT.file(page))).toList()) {
        assertThat(rendered(command)).as(command).isNotEmpty();
        PLACE.matcher(command).results().forEach(place -> places.add(place.group(1)));
      }
    }
    assertThat(places)
        .containsExactly(
            "agent-workspace",
            "dependency-workspace",
            "parent-workspace",
            "provider-workspace",
            "shard");
  }

  private static Stream<String> commands(String page) {
    return HELM.matcher(page).results().map(MatchResult::group);
  }

  private static List<KubeObject> rendered(String command) {
    TemplateCommand template = Chart.template();
    SET.matcher(command).results().forEach(value -> set(template, value.group(1), value.group(2)));
    return render(template);
  }

  /** As Helm's command line reads it: {@code {a}} is a list, which this library takes literally. */
  private static void set(TemplateCommand command, String field, String value) {
    if (value.startsWith("{")) {
      command.set(field + "[0]", value.substring(1, value.length() - 1));
    } else {
      command.set(field, value);
    }
  }

  @Test
  void saysWhereMetricsAreNotReachable() {
    assertThat(notes("networkPolicy.enabled", "true"))
        .contains("METRICS ARE NOT REACHABLE", "networkPolicy.managementFrom");
    assertThat(notes("metrics.serviceMonitor.enabled", "true"))
        .doesNotContain("METRICS ARE NOT REACHABLE")
        .contains("Every pod of this cluster may read health and metrics");
    assertThat(notes("networkPolicy.enabled", "false")).doesNotContain("METRICS ARE NOT REACHABLE");
  }

  private static String notes(String field, String value) {
    return new Helm(Chart.DIRECTORY)
        .install()
        .withName(Chart.RELEASE)
        .withNamespace(Chart.NAMESPACE)
        .withKubeVersion("1.34.0")
        .clientOnly()
        .set("image.registry", "registry.example.org")
        .dryRun()
        .set("syncAgent.apiExportEndpointSlice", "certificates.example.corp")
        .set(field, value)
        .call()
        .getOutput();
  }
}
