package dev.mooring.sandbox.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.kcp.api.KcpApis;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KcpDescriptionsTest {
  private static final Map<String, Object> FILE =
      YamlText.resource(TypeDescriptions.class, "kcp-descriptions.yaml");

  static Stream<KubeObject> types() {
    var none = new KcpApis((_, _) -> List.of());
    return none.descriptions().stream();
  }

  @ParameterizedTest
  @MethodSource("types")
  void everyFieldIsDescribed(KubeObject type) {
    var missing = new TreeSet<String>();
    eachField(
        type,
        (path, field) -> {
          if (Trees.text(field, "description").isEmpty()) {
            missing.add(path);
          }
        });

    assertThat(missing).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("types")
  void noTextIsOfAFieldThatIsNone(KubeObject type) {
    var left = new TreeSet<>(Trees.mapOrEmpty(FILE.get(kind(type))).keySet());
    eachField(type, (path, _) -> left.remove(path));

    assertThat(left).isEmpty();
  }

  @Test
  void aTypeOfAnotherGroupKeepsItsOwnWords() {
    Map<String, Object> schema =
        Map.of("properties", Map.of("spec", Map.of("type", "object", "description", "Mine.")));

    assertThat(TypeDescriptions.described("com.example.v1.Workspace", schema)).isEqualTo(schema);
  }

  private static void eachField(KubeObject type, BiConsumer<String, Map<String, Object>> each) {
    for (Object version : type.list("spec", "versions")) {
      Map<String, Object> schema = Trees.mapOrEmpty(Trees.at(version, "schema", "openAPIV3Schema"));
      eachField("", TypeDescriptions.described("io.kcp.any.v1." + kind(type), schema), each);
    }
  }

  private static void eachField(
      String path, Map<String, Object> schema, BiConsumer<String, Map<String, Object>> each) {
    each.accept(path, schema);
    Stream.of(schema, Trees.mapOrEmpty(schema.get("items")))
        .flatMap(holder -> Trees.mapOrEmpty(holder.get("properties")).entrySet().stream())
        .filter(field -> !path.isEmpty() || !isOfEveryType(field.getKey()))
        .forEach(field ->
            eachField(
                path.isEmpty() ? field.getKey() : path + "." + field.getKey(),
                Trees.mapOrEmpty(field.getValue()),
                each));
  }

  private static boolean isOfEveryType(String field) {
    return field.equals("apiVersion") || field.equals("kind") || field.equals("metadata");
  }

  private static String kind(KubeObject type) {
    return type.text("spec", "names", "kind");
  }
}
