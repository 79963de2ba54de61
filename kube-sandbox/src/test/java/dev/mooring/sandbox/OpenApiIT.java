package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.KubeSandbox;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What clients find out about the resources of plain Kubernetes. */
class OpenApiIT {
  private static final String META = "io.k8s.apimachinery.pkg.apis.meta.v1.";
  private static final String ROOT = "#/components/schemas/";

  private KubeSandbox sandbox;
  private SandboxClient client;

  @BeforeEach
  void start(@TempDir Path root) {
    sandbox = KubeSandbox.start(KubeOptions.in(root));
    client = SandboxClient.of(sandbox, "kubernetes-admin");
  }

  @AfterEach
  void stop() {
    sandbox.close();
  }

  private Map<String, Object> schemas(String path) {
    SandboxClient.Answer answer = client.get("/openapi/v3/" + path);
    assertThat(answer.status()).isEqualTo(200);
    return answer.body().map("components", "schemas");
  }

  @Test
  void splitsARoleIntoItsTypes() {
    Map<String, Object> schemas = schemas("apis/rbac.authorization.k8s.io/v1");

    assertThat(Trees.mapOrEmpty(schemas.get("io.k8s.api.rbac.v1.Role")))
        .containsEntry("type", "object")
        .containsEntry(
            "x-kubernetes-group-version-kind",
            List.of(Map.of("group", "rbac.authorization.k8s.io", "version", "v1", "kind", "Role")));
    assertThat(Trees.at(schemas.get("io.k8s.api.rbac.v1.Role"), "properties", "metadata", "allOf"))
        .isEqualTo(List.of(Map.of("$ref", ROOT + META + "ObjectMeta")));
    assertThat(Trees.at(schemas.get("io.k8s.api.rbac.v1.Role"), "properties", "rules", "items"))
        .isEqualTo(
            Map.of(
                "default",
                Map.of(),
                "allOf",
                List.of(Map.of("$ref", ROOT + "io.k8s.api.rbac.v1.PolicyRule"))));
    assertThat(Trees.at(schemas.get("io.k8s.api.rbac.v1.PolicyRule"), "required"))
        .isEqualTo(List.of("verbs"));
    assertThat(Trees.at(schemas.get("io.k8s.api.rbac.v1.Role"), "required")).isNull();
    assertThat(Trees.at(schemas.get("io.k8s.api.rbac.v1.RoleBinding"), "required"))
        .isEqualTo(List.of("roleRef"));
  }

  @Test
  void refersOnlyToWhatTheDocumentHas() {
    List<String> documents = List.copyOf(client.get("/openapi/v3").body().map("paths").keySet());
    assertThat(documents)
        .contains("api/v1", "apis/apps/v1", "apis/autoscaling/v1", "apis/autoscaling/v2");
    for (String document : documents) {
      KubeObject content = client.get("/openapi/v3/" + document).body();
      var missing = new TreeSet<>(references(content.tree()));
      content.map("components", "schemas").keySet().forEach(name -> missing.remove(ROOT + name));

      assertThat(missing).as("missing in %s", document).isEmpty();
      assertThat(keywords(content.tree()))
          .as("keywords of %s", document)
          .noneMatch(keyword -> keyword.startsWith("x-mooring-"));
    }
  }

  @Test
  void describesDeploymentsToTheLastField() {
    Map<String, Object> schemas = schemas("apis/apps/v1");

    assertThat(Trees.at(schemas.get("io.k8s.api.apps.v1.DeploymentSpec"), "required"))
        .isEqualTo(List.of("selector", "template"));
    assertThat(
            Trees.at(
                schemas.get("io.k8s.api.core.v1.Container"),
                "properties",
                "ports",
                "x-kubernetes-list-map-keys"))
        .isEqualTo(List.of("containerPort", "protocol"));
    assertThat(Trees.at(schemas.get("io.k8s.apimachinery.pkg.util.intstr.IntOrString"), "format"))
        .isEqualTo("int-or-string");
  }

  @Test
  void saysOfTypesAndFieldsWhatKubernetesSays() {
    Map<String, Object> spec =
        Trees.mapOrEmpty(schemas("api/v1").get("io.k8s.api.core.v1.NamespaceSpec"));

    assertThat(Trees.text(spec, "description"))
        .startsWith("NamespaceSpec describes the attributes on a Namespace");
    assertThat(Trees.text(spec, "properties", "finalizers", "description"))
        .startsWith("Finalizers is an opaque list of values");
  }

  @Test
  void describesDefinitionsOfCustomResourcesDownToTheirSchemas() {
    String types = "io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.";
    Map<String, Object> schemas = schemas("apis/apiextensions.k8s.io/v1");

    assertThat(
            Trees.at(
                schemas.get(types + "JSONSchemaProps"),
                "properties",
                "properties",
                "additionalProperties",
                "allOf"))
        .isEqualTo(List.of(Map.of("$ref", ROOT + types + "JSONSchemaProps")));
  }

  @Test
  void keepsADeploymentsStatusApart() {
    String path = "/apis/apps/v1/namespaces/default/deployments";
    KubeObject made = client.post(path, deployment()).body();
    assertThat(made.at("spec", "replicas")).isEqualTo(1L);
    assertThat(made.map("status")).isEmpty();

    KubeObject written =
        client.put(path + "/web/status", made.with(1L, "status", "readyReplicas")).body();
    KubeObject scaled =
        client.patch(path + "/web/scale", "merge", Map.of("spec", Map.of("replicas", 3))).body();

    assertThat(written.generation()).isEqualTo(1);
    assertThat(scaled.at("spec", "replicas")).isEqualTo(3L);
    KubeObject now = client.get(path + "/web").body();
    assertThat(now.at("status", "readyReplicas")).isEqualTo(1L);
    assertThat(now.at("spec", "replicas")).isEqualTo(3L);
    assertThat(now.generation()).isEqualTo(2);
    assertThat(client.post(path, Map.of("metadata", Map.of("name", "bad"))).status())
        .isEqualTo(422);
  }

  @Test
  void servesOneAutoscalerInTwoVersions() {
    String path = "/apis/autoscaling/%s/namespaces/default/horizontalpodautoscalers";
    var spec =
        Map.of(
            "maxReplicas", 5,
            "targetCPUUtilizationPercentage", 60,
            "scaleTargetRef", Map.of("kind", "Deployment", "name", "web"));
    client.post(path.formatted("v1"), Map.of("metadata", Map.of("name", "web"), "spec", spec));

    KubeObject second = client.get(path.formatted("v2") + "/web").body();
    Object cpu = second.list("spec", "metrics").getFirst();
    assertThat(Trees.at(cpu, "resource", "target", "averageUtilization")).isEqualTo(60L);
    client.put(path.formatted("v2") + "/web", second.with(9L, "spec", "maxReplicas"));
    KubeObject first = client.get(path.formatted("v1") + "/web").body();

    assertThat(first.at("spec", "targetCPUUtilizationPercentage")).isEqualTo(60L);
    assertThat(first.at("spec", "maxReplicas")).isEqualTo(9L);
    client.put(path.formatted("v1") + "/web", first.with(7L, "spec", "maxReplicas"));
    KubeObject after = client.get(path.formatted("v2") + "/web").body();
    assertThat(after.at("spec", "maxReplicas")).isEqualTo(7L);
    assertThat(after.list("spec", "metrics")).isEqualTo(second.list("spec", "metrics"));
  }

  private static Map<String, Object> deployment() {
    var labels = Map.of("app", "web");
    return Map.of(
        "apiVersion",
        "apps/v1",
        "kind",
        "Deployment",
        "metadata",
        Map.of("name", "web"),
        "spec",
        Map.of(
            "selector", Map.of("matchLabels", labels),
            "template",
                Map.of(
                    "metadata", Map.of("labels", labels),
                    "spec",
                        Map.of("containers", List.of(Map.of("name", "web", "image", "web:1"))))));
  }

  private static Set<String> references(Object tree) {
    var found = new TreeSet<String>();
    visit(
        tree,
        (key, value) -> {
          if (key.equals("$ref") && value instanceof String reference) {
            found.add(reference);
          }
        });
    return found;
  }

  private static Set<String> keywords(Object tree) {
    var found = new TreeSet<String>();
    visit(tree, (key, _) -> found.add(key));
    return found;
  }

  private static void visit(Object tree, java.util.function.BiConsumer<String, Object> visitor) {
    var todo = new ArrayDeque<Object>(List.of(tree));
    while (!todo.isEmpty()) {
      switch (todo.pop()) {
        case Map<?, ?> map ->
            map.forEach((key, value) -> {
              visitor.accept((String) key, value);
              if (value != null) {
                todo.push(value);
              }
            });
        case List<?> list -> list.forEach(todo::push);
        default -> {}
      }
    }
  }
}
