package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** docs/reference/properties.md lists each service's properties as Spring's metadata has them. */
class PropertyReferenceTest {
  private static final Pattern JAVADOC = Pattern.compile("\\{@(?:code|link|value) ([^}]*)}");

  @ParameterizedTest
  @ValueSource(strings = {"sync-agent", "dependency-controller", "dependency-webhook"})
  void listsEveryProperty(String service) throws IOException {
    var rows = new ArrayList<>(List.of("| Property | Default | Meaning |", "|---|---|---|"));
    properties(service).stream()
        .filter(property -> property.get("name").toString().startsWith("mooring." + service + "."))
        .sorted(Comparator.comparing(property -> property.get("name").toString()))
        .map(PropertyReferenceTest::row)
        .forEach(rows::add);

    new GeneratedTable("properties.md", service).mustBe(rows);
  }

  /** So that Helm refuses a misspelt one below {@code config}. */
  @ParameterizedTest
  @CsvSource({
    "sync-agent, syncAgentConfig",
    "dependency-controller, dependencyControllerConfig",
    "dependency-webhook, dependencyWebhookConfig"
  })
  void theChartKnowsEveryProperty(String service, String definition) throws IOException {
    Object schema =
        new Yaml()
            .load(
                Files.readString(GeneratedTable.LAYOUT.file("charts/mooring/values.schema.json")));
    String prefix = "mooring." + service + ".";

    assertThat(names("", Trees.at(schema, "definitions", definition)))
        .as("properties of %s in values.schema.json of the chart", definition)
        .containsExactlyInAnyOrderElementsOf(
            properties(service).stream()
                .map(property -> property.get("name").toString())
                .filter(name -> name.startsWith(prefix))
                .map(name -> name.substring(prefix.length()))
                .toList());
  }

  private static List<String> names(String prefix, Object schema) {
    assertThat(Trees.at(schema, "additionalProperties")).isEqualTo(false);
    var names = new ArrayList<String>();
    Trees.mapOrEmpty(Trees.at(schema, "properties"))
        .forEach((name, below) -> {
          if (Trees.mapOrEmpty(below).isEmpty()) {
            names.add(prefix + name);
          } else {
            names.addAll(names(prefix + name + ".", below));
          }
        });
    return names;
  }

  /** A service's properties as Spring's metadata has them. */
  @SuppressWarnings("unchecked")
  static List<Map<String, Object>> properties(String service) throws IOException {
    String json =
        Files.readString(
            GeneratedTable.LAYOUT.file(
                service + "-service/target/classes/META-INF/spring-configuration-metadata.json"));
    // JSON but for this escape, which YAML does not have.
    Map<String, Object> metadata = new Yaml().load(json.replace("\\/", "/"));
    return (List<Map<String, Object>>) metadata.get("properties");
  }

  private static String row(Map<String, Object> property) {
    Object value = property.get("defaultValue");
    String described = property.getOrDefault("description", "").toString();
    return "| `%s` | %s | %s |"
        .formatted(
            property.get("name"),
            value == null || value.equals("") ? "" : "`" + value + "`",
            GeneratedTable.cell(
                JAVADOC
                    .matcher(described)
                    .replaceAll("`$1`")
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")));
  }
}
