package dev.mooring.acceptance.reference;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/** docs/reference/properties.md lists each service's properties as Spring's metadata has them. */
class PropertyReferenceTest {
  private static final Pattern JAVADOC = Pattern.compile("\\{@(?:code|link|value) ([^}]*)}");

  @ParameterizedTest
  @ValueSource(strings = {"sync-agent", "dependency-controller", "dependency-webhook"})
  void listsEveryProperty(String service) throws IOException {
    Path metadata =
        GeneratedTable.LAYOUT.file(
            service + "-service/target/classes/META-INF/spring-configuration-metadata.json");
    var rows = new ArrayList<>(List.of("| Property | Default | Meaning |", "|---|---|---|"));
    properties(Files.readString(metadata)).stream()
        .filter(property -> property.get("name").toString().startsWith("mooring." + service + "."))
        .sorted(Comparator.comparing(property -> property.get("name").toString()))
        .map(PropertyReferenceTest::row)
        .forEach(rows::add);

    new GeneratedTable("properties.md", service).mustBe(rows);
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> properties(String json) {
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
