package dev.mooring.sandbox.fields;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.fields.ServerSideApply.Conflict;
import dev.mooring.sandbox.fields.ServerSideApply.Force;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ServerSideApplyTest {
  private static final FieldSchema SCHEMA =
      FieldSchema.root(
          Trees.mapOrEmpty(
              KubeJson.read(
                  """
                  {"type": "object", "properties": {"spec": {"type": "object", "properties": {
                    "color": {"type": "string"},
                    "tags": {"type": "array", "items": {"type": "string"},
                             "x-kubernetes-list-type": "set"},
                    "words": {"type": "array", "items": {"type": "string"}},
                    "parts": {"type": "array", "x-kubernetes-list-type": "map",
                              "x-kubernetes-list-map-keys": ["name"],
                              "items": {"type": "object", "properties": {
                                "name": {"type": "string"}, "size": {"type": "integer"}}}}}}}}
                  """)));

  private KubeObject live = KubeObject.of(Map.of());

  private ServerSideApply apply(String manager, String time, Force force, String spec) {
    KubeObject wanted =
        KubeJson.readObject(
            "{\"apiVersion\": \"v1\", \"kind\": \"Thing\", \"metadata\": {\"name\": \"a\"},"
                + " \"spec\": "
                + spec
                + "}");
    var writer = new ManagedFields.Writer(manager, "v1", "", time, List.of());
    ServerSideApply applied = ServerSideApply.of(live.tree(), wanted, SCHEMA, writer, force);
    if (applied.conflicts().isEmpty()) {
      live = applied.object();
    }
    return applied;
  }

  private ServerSideApply apply(String manager, String spec) {
    return apply(manager, "2026-01-01T00:00:00Z", Force.NO, spec);
  }

  private Object spec(String json) {
    assertThat(live.at("spec")).isEqualTo(KubeJson.read(json));
    return live.at("spec");
  }

  @Test
  void mergesMapsSetsAndItemsByKeyAndReplacesOtherLists() {
    apply(
        "one",
        """
        {"tags": ["a"], "words": ["x", "y"], "parts": [{"name": "p", "size": 1}]}\
        """);
    apply(
        "two",
        """
        {"tags": ["b", "a"], "parts": [{"name": "q"}]}\
        """);

    spec(
        """
        {"tags": ["b", "a"], "words": ["x", "y"],
         "parts": [{"name": "p", "size": 1}, {"name": "q"}]}\
        """);
  }

  @Test
  void removesFieldsWithoutAnOwner() {
    apply(
        "one",
        """
        {"color": "red", "tags": ["a", "b"], "parts": [{"name": "p", "size": 1}]}\
        """);
    apply(
        "two",
        """
        {"tags": ["b"]}\
        """);
    apply(
        "one",
        """
        {"color": "red"}\
        """);

    spec(
        """
        {"color": "red", "tags": ["b"]}\
        """);
  }

  @Test
  void reportsEachFieldOfOthersThatWouldChange() {
    apply(
        "one",
        """
        {"color": "red", "parts": [{"name": "p", "size": 1}]}\
        """);

    ServerSideApply refused =
        apply(
            "two",
            """
            {"color": "blue", "parts": [{"name": "p", "size": 2}]}\
            """);

    assertThat(refused.conflicts())
        .containsExactly(
            new Conflict("\"one\"", ".spec.color"),
            new Conflict("\"one\"", ".spec.parts[name=\"p\"].size"));
    spec(
        """
        {"color": "red", "parts": [{"name": "p", "size": 1}]}\
        """);
  }

  @Test
  void takesFieldsByForce() {
    apply(
        "one",
        """
        {"color": "red", "words": ["x"]}\
        """);

    apply(
        "two",
        "2026-01-01T00:00:00Z",
        Force.YES,
        """
        {"color": "blue"}\
        """);

    assertThat(
            apply(
                    "one",
                    """
                    {"color": "red", "words": ["x"]}\
                    """)
                .conflicts())
        .containsExactly(new Conflict("\"two\"", ".spec.color"));
  }

  @Test
  void sharesFieldsOnWhichAllAgree() {
    apply(
        "one",
        """
        {"color": "red"}\
        """);
    apply(
        "two",
        """
        {"color": "red"}\
        """);
    apply("one", "{}");

    spec(
        """
        {"color": "red"}\
        """);
  }

  @Test
  void changesNothingWhenItIsRepeated() {
    apply(
        "one",
        """
        {"color": "red"}\
        """);
    KubeObject before = live;

    apply(
        "one",
        "2026-02-02T00:00:00Z",
        Force.NO,
        """
        {"color": "red"}\
        """);

    assertThat(live).isEqualTo(before);
    assertThat(List.copyOf(live.list("metadata", "managedFields"))).hasSize(1);
  }

  private static final String LAST = "kubectl.kubernetes.io/last-applied-configuration";

  private void updatedByKubectl(String spec, String noted) {
    KubeObject object =
        KubeJson.readObject(
            "{\"apiVersion\": \"v1\", \"kind\": \"Thing\", \"metadata\": {\"name\": \"a\"},"
                + " \"spec\": "
                + spec
                + "}");
    object =
        object.with(
            "{\"apiVersion\":\"v1\",\"kind\":\"Thing\",\"metadata\":{\"name\":\"a\"},\"spec\":%s}"
                .formatted(noted),
            "metadata",
            "annotations",
            LAST);
    var writer =
        new ManagedFields.Writer(
            "kubectl-client-side-apply", "v1", "", "2026-01-01T00:00:00Z", List.of());
    live = ManagedFields.afterUpdate(Map.of(), object, null, SCHEMA, writer);
  }

  @Test
  void kubectlTakesOverWhatItsAnnotationNotes() {
    updatedByKubectl("{\"color\": \"red\"}", "{\"color\":\"red\"}");

    assertThat(apply("other", "{\"color\": \"blue\"}").conflicts()).hasSize(1);
    assertThat(apply("kubectl", "{\"color\": \"blue\"}").conflicts()).isEmpty();
    spec("{\"color\": \"blue\"}");
  }

  @Test
  void kubectlDoesNotTakeOverWhatHasChangedSinceItsAnnotation() {
    updatedByKubectl("{\"color\": \"red\"}", "{\"color\":\"green\"}");

    assertThat(apply("kubectl", "{\"color\": \"blue\"}").conflicts())
        .containsExactly(new Conflict("\"kubectl-client-side-apply\" using v1", ".spec.color"));
  }

  @Test
  void anApplierIsTheSameInEveryVersion() {
    apply("one", "{\"color\": \"red\"}");
    var writer = new ManagedFields.Writer("one", "v2", "", "2026-01-01T00:00:00Z", List.of());
    ServerSideApply again =
        ServerSideApply.of(
            live.tree(),
            live.without("metadata", "managedFields").with("blue", "spec", "color"),
            SCHEMA,
            writer,
            Force.NO);

    assertThat(again.conflicts()).isEmpty();
    assertThat(again.object().list("metadata", "managedFields")).hasSize(1);
  }
}
