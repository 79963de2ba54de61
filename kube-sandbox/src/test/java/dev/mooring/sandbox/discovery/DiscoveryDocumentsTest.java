package dev.mooring.sandbox.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.api.registry.Subresource;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.builtin.BuiltInCatalog;
import dev.mooring.sandbox.discovery.DiscoveryDocuments.DocumentRequest;
import dev.mooring.sandbox.discovery.DiscoveryDocuments.DocumentResponse;
import dev.mooring.sandbox.security.authorization.Decision;
import dev.mooring.sandbox.security.rbac.AuthorizationAttributes;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DiscoveryDocumentsTest {
  private static final String AGGREGATED =
      "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";

  private final DiscoveryDocuments documents = new DiscoveryDocuments("127.0.0.1:6443");

  private final ApiView view =
      new Served(
          List.of(
              ResourceDefinition.define(
                      ResourceType.core("configmaps"),
                      ResourceNames.of("configmaps", "ConfigMap", "cm"),
                      Scope.NAMESPACED)
                  .build(),
              widgets("v1"),
              widgets("v1alpha1")));

  private static ResourceDefinition widgets(String version) {
    return ResourceDefinition.define(
            new ResourceType("wire.example.io", version, "widgets"),
            ResourceNames.of("widgets", "Widget"),
            Scope.NAMESPACED)
        .origin(ResourceDefinition.Origin.CUSTOM)
        .subresource("scale", new Subresource.Scale(".spec.r", ".status.r", ""))
        .schema(Map.of("type", "object", "properties", Map.of("spec", Map.of("type", "object"))))
        .build();
  }

  @Test
  void listsGroupsWithTheBestVersionFirst() {
    Object groups = json("/apis");

    assertThat(Trees.at(groups, "kind")).isEqualTo("APIGroupList");
    assertThat(Trees.listOrEmpty(Trees.at(groups, "groups")))
        .singleElement()
        .satisfies(group -> {
          assertThat(Trees.at(group, "name")).isEqualTo("wire.example.io");
          assertThat(Trees.at(group, "preferredVersion", "version")).isEqualTo("v1");
        });
  }

  @Test
  void listsResourcesAndSubresources() {
    List<Object> resources =
        Trees.listOrEmpty(Trees.at(json("/apis/wire.example.io/v1"), "resources"));

    assertThat(resources)
        .extracting(one -> Trees.at(one, "name"))
        .containsExactly("widgets", "widgets/scale");
    assertThat(Trees.listOrEmpty(Trees.at(resources.getFirst(), "verbs")))
        .containsExactly(
            "delete", "deletecollection", "get", "list", "patch", "create", "update", "watch");
    assertThat(Trees.at(resources.getLast(), "kind")).isEqualTo("Scale");
    assertThat(Trees.at(resources.getLast(), "group")).isEqualTo("autoscaling");
  }

  @Test
  void answersUnknownGroupsAsKcpDoes() {
    assertThatExceptionOfType(ApiFailure.class)
        .isThrownBy(() -> answer("/apis/nope.example.com", ""))
        .withMessage("404 page not found\n");
    assertThat(Trees.listOrEmpty(Trees.at(json("/apis/nope.example.com/v1"), "resources")))
        .isEmpty();
    assertThatThrownBy(() -> answer("/api/v2", "")).isInstanceOf(ApiFailure.class);
  }

  @Test
  void aggregatesTheCoreGroupOnly() {
    DocumentResponse core = answer("/api", AGGREGATED);

    assertThat(core.contentType()).isEqualTo(AggregatedDiscovery.MEDIA_TYPE);
    assertThat(Trees.at(KubeJson.read(core.body()), "kind")).isEqualTo("APIGroupDiscoveryList");
    assertThat(Trees.at(json("/api"), "kind")).isEqualTo("APIVersions");
    assertThat(answer("/apis", AGGREGATED).contentType()).isEqualTo("application/json");
  }

  @Test
  void publishesSchemasThatClientsMayCache() {
    Object index = json("/openapi/v3");
    DocumentResponse document = answer("/openapi/v3/apis/wire.example.io/v1", "");
    Object schema =
        Trees.at(
            KubeJson.read(document.body()), "components", "schemas", "io.example.wire.v1.Widget");

    assertThat((String) Trees.at(index, "paths", "apis/wire.example.io/v1", "serverRelativeURL"))
        .matches("/openapi/v3/apis/wire\\.example\\.io/v1\\?hash=[0-9A-F]{128}");
    assertThat(Trees.listOrEmpty(Trees.at(schema, "x-kubernetes-group-version-kind")))
        .containsExactly(Map.of("group", "wire.example.io", "kind", "Widget", "version", "v1"));
    DocumentResponse again =
        documents
            .answer(
                new DocumentRequest(
                    "GET",
                    Optional.of(view),
                    List.of("openapi", "v3", "apis", "wire.example.io", "v1"),
                    "",
                    document.headers().get("Etag")))
            .orElseThrow();
    assertThat(again.status()).isEqualTo(304);
  }

  @Test
  void tellsDocumentsApartThatShareTheirSchemas() {
    ResourceDefinition widgets = widgets("v1");
    ResourceDefinition readOnly = widgets.toBuilder().verbs(Set.of(Verb.GET)).build();
    assertThat(readOnly.schema()).isSameAs(widgets.schema());

    DocumentResponse one = openApi(widgets, "");
    DocumentResponse other = openApi(readOnly, one.headers().get("Etag"));

    assertThat(other.status()).isEqualTo(200);
    assertThat(other.body()).isNotEqualTo(one.body());
  }

  /** {@code Map.of} has another order in each JVM, so documents would get another hash. */
  @Test
  void keepsTheOrderOfFieldsInEachJvm() {
    var unordered = new TreeSet<String>();
    for (List<ResourceDefinition> definitions :
        List.of(List.of(widgets("v1")), BuiltInCatalog.workloads().all(LogicalCluster.NONE))) {
      addUnordered(OpenApiV3.tree(definitions), "v3", unordered);
      addUnordered(OpenApiV2.document(definitions), "v2", unordered);
    }
    addUnordered(OpenApiV3.discoveryTree("apis/apps"), "discovery", unordered);

    assertThat(unordered).isEmpty();
  }

  private static void addUnordered(Object value, String path, Set<String> paths) {
    if (value instanceof Map<?, ?> map) {
      if (map.size() > 1 && map.getClass().getName().startsWith("java.util.ImmutableCollections")) {
        paths.add(path);
      }
      map.forEach((key, field) -> addUnordered(field, path + "." + key, paths));
    } else if (value instanceof List<?> list) {
      list.forEach(item -> addUnordered(item, path + "[]", paths));
    }
  }

  private DocumentResponse openApi(ResourceDefinition widgets, String ifNoneMatch) {
    return documents
        .answer(
            new DocumentRequest(
                "GET",
                Optional.of(new Served(List.of(widgets))),
                List.of("openapi", "v3", "apis", "wire.example.io", "v1"),
                "",
                ifNoneMatch))
        .orElseThrow();
  }

  @Test
  void leavesOtherPathsToOthers() {
    assertThat(documents.answer(request("/api/v1/namespaces", ""))).isEmpty();
    assertThat(documents.answer(request("/nope", ""))).isEmpty();
  }

  private Object json(String path) {
    return KubeJson.read(answer(path, "").body());
  }

  private DocumentResponse answer(String path, String accept) {
    return documents.answer(request(path, accept)).orElseThrow();
  }

  private DocumentRequest request(String path, String accept) {
    return new DocumentRequest(
        "GET", Optional.of(view), List.of(path.substring(1).split("/")), accept, "");
  }

  private record Served(List<ResourceDefinition> all) implements ApiView {
    @Override
    public Optional<LogicalCluster> cluster() {
      return Optional.of(new LogicalCluster("abc"));
    }

    @Override
    public Optional<ResourceDefinition> find(ResourceType type) {
      return all.stream().filter(one -> one.type().equals(type)).findFirst();
    }

    @Override
    public Decision authorize(AuthorizationAttributes attributes) {
      throw new AssertionError("discovery is authorized before");
    }
  }
}
