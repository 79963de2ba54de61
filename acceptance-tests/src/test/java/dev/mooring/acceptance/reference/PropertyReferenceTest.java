package dev.mooring.acceptance.reference;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.Trees;
import java.io.IOException;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.attribute.RecordComponentInfo;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
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
    var rows =
        new ArrayList<>(List.of("| Property | Default | Change | Meaning |", "|---|---|---|---|"));
    Set<String> live = live(service);
    properties(Files.readString(metadata(service))).stream()
        .filter(property -> property.get("name").toString().startsWith("mooring." + service + "."))
        .sorted(Comparator.comparing(property -> property.get("name").toString()))
        .map(property -> row(property, live))
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
            properties(Files.readString(metadata(service))).stream()
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

  private static Path metadata(String service) {
    return GeneratedTable.LAYOUT.file(
        service + "-service/target/classes/META-INF/spring-configuration-metadata.json");
  }

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> properties(String json) {
    // JSON but for this escape, which YAML does not have.
    Map<String, Object> metadata = new Yaml().load(json.replace("\\/", "/"));
    return (List<Map<String, Object>>) metadata.get("properties");
  }

  /** Names of the properties whose components are marked Live. */
  private static Set<String> live(String service) throws IOException {
    Path classes = GeneratedTable.LAYOUT.root().resolve(service + "-service/target/classes");
    var names = new TreeSet<String>();
    try (Stream<Path> files = Files.walk(classes)) {
      for (Path file :
          files
              .filter(path -> path.getFileName().toString().endsWith("Properties.class"))
              .toList()) {
        collect(classes, file, "mooring." + service, names);
      }
    }
    return names;
  }

  private static void collect(Path classes, Path file, String prefix, Set<String> names)
      throws IOException {
    var components =
        ClassFile.of().parse(file).findAttribute(Attributes.record()).orElseThrow().components();
    for (RecordComponentInfo component : components) {
      String name =
          prefix
              + "."
              + component
                  .name()
                  .stringValue()
                  .replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-")
                  .toLowerCase(Locale.ROOT);
      boolean marked =
          component.findAttribute(Attributes.runtimeVisibleAnnotations()).stream()
              .flatMap(found -> found.annotations().stream())
              .anyMatch(found -> found.className().stringValue().endsWith("/reload/Live;"));
      String type = component.descriptor().stringValue();
      Path nested = classes.resolve(type.replaceAll("^L|;$", "") + ".class");
      if (marked) {
        names.add(name);
      } else if (type.contains("Properties$") && isRecord(nested)) {
        collect(classes, nested, name, names);
      }
    }
  }

  private static boolean isRecord(Path file) throws IOException {
    return Files.exists(file)
        && ClassFile.of().parse(file).findAttribute(Attributes.record()).isPresent();
  }

  private static String row(Map<String, Object> property, Set<String> live) {
    Object value = property.get("defaultValue");
    String described = property.getOrDefault("description", "").toString();
    return "| `%s` | %s | %s | %s |"
        .formatted(
            property.get("name"),
            value == null || value.equals("") ? "" : "`" + value + "`",
            live.contains(property.get("name")) ? "live" : "restart",
            GeneratedTable.cell(
                JAVADOC
                    .matcher(described)
                    .replaceAll("`$1`")
                    .replace("&lt;", "<")
                    .replace("&gt;", ">")));
  }
}
