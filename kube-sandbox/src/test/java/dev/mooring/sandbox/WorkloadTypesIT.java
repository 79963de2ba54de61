package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.SandboxClient.Answer;
import dev.mooring.sandbox.codec.YamlText;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The resources that plain Kubernetes serves and kcp does not, one object of each. */
class WorkloadTypesIT extends OnKubernetesSandbox {
  /**
   * A row of {@code workload-objects.yaml}.
   *
   * @param path of the collection
   */
  record Row(String resource, String path, Map<String, Object> object, Object tree) {
    static Row of(Object tree) {
      String resource = Trees.text(tree, "resource");
      int end = resource.lastIndexOf('/');
      String namespace = Trees.at(tree, "cluster") == null ? "/namespaces/default" : "";
      String group = (resource.startsWith("v1/") ? "/api/" : "/apis/") + resource.substring(0, end);
      return new Row(
          resource, group + namespace + resource.substring(end), Trees.map(tree, "object"), tree);
    }

    @Override
    public String toString() {
      return resource;
    }
  }

  static Stream<Row> rows() {
    return Trees.list(YamlText.resource(WorkloadTypesIT.class, "workload-objects.yaml"), "rows")
        .stream()
        .map(Row::of);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void isStoredWithItsDefaults(Row row) {
    String one = row.path() + "/one";

    Answer made =
        client.post(row.path(), KubeObject.of(row.object()).with("one", "metadata", "name"));

    assertThat(made.status()).as(made.message()).isEqualTo(201);
    assertContains("", Trees.map(row.tree(), "expected"), made.body().tree());
    assertThat(client.get(one).body()).isEqualTo(made.body());
    assertThat(client.get(row.path()).body().list("items")).hasSize(1);
    for (Object refused : Trees.list(row.tree(), "refused")) {
      Answer answer = client.patch(one, "merge", Trees.map(refused, "change"));
      assertThat(answer.status()).as(answer.message()).isEqualTo(422);
      assertThat(answer.message()).contains(Trees.text(refused, "message"));
    }
    Answer labelled =
        client.patch(one, "merge", Map.of("metadata", Map.of("labels", Map.of("l", "v"))));
    assertThat(labelled.body().labels()).containsEntry("l", "v");
    assertThat(labelled.body().generation()).isEqualTo(made.body().generation());
    assertThat(client.delete(one).status()).isEqualTo(200);
    assertThat(client.get(one).status()).isEqualTo(404);
  }

  private static void assertContains(
      String at, @Nullable Object expected, @Nullable Object actual) {
    if (expected instanceof Map<?, ?> fields && actual instanceof Map<?, ?>) {
      fields.forEach((field, value) ->
          assertContains(at + "." + field, value, Trees.at(actual, field.toString())));
    } else if (expected instanceof List<?> items && actual instanceof List<?> list) {
      assertThat(list).as(at).hasSameSizeAs(items);
      for (int i = 0; i < items.size(); i++) {
        assertContains(at + "[" + i + "]", items.get(i), list.get(i));
      }
    } else {
      assertThat(actual).as(at).isEqualTo(expected);
    }
  }
}
