package dev.mooring.syncagent.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SchemaProjectionTest {
  @Test
  void keepsEverythingWhereNothingIsProjected() {
    ProjectedSchema schema = project("", crd("v1 served storage"));

    assertThat(schema.inKcp())
        .isEqualTo(
            new ApiType(
                new ResourceType("certs.io", "v1", "certificates"),
                "Certificate",
                Scope.NAMESPACED));
    assertThat(schema.onService()).isEqualTo(schema.inKcp());
    assertThat(schema.schemaName()).matches("v[0-9a-f]{8}\\.certificates\\.certs\\.io");
    assertThat(schema.spec().get("names")).isEqualTo(crd("v1 served storage").map("spec", "names"));
  }

  @Test
  void takesOnlyServedVersionsThatWereAskedFor() {
    KubeObject crd = crd("v1 served storage", "v2 served", "v3");

    assertThat(versions(project("resource: {versions: [v2, v3, v9]}", crd)))
        .containsExactly("v2 storage");
  }

  @Test
  void refusesVersionsOfWhichNoneIsServed() {
    assertThatThrownBy(() -> project("resource: {versions: [v3]}", crd("v1 served storage", "v3")))
        .isInstanceOf(InvalidPublishedResource.class)
        .hasMessageContaining("served are [v1]");
  }

  @Test
  void makesTheHighestVersionStorageWhereTheStorageVersionIsNotPublished() {
    KubeObject crd = crd("v1beta1 served", "v1 served", "v3 served storage", "v1alpha9 served");

    ProjectedSchema schema = project("resource: {versions: [v1beta1, v1, v1alpha9]}", crd);

    assertThat(versions(schema)).containsExactly("v1alpha9", "v1beta1", "v1 storage");
    assertThat(schema.onService().resource().version()).isEqualTo("v1");
  }

  @Test
  void renamesVersionsAndSyncsTheSameOneOnBothSides() {
    ProjectedSchema schema =
        project("projection: {versions: {v2: v10, v1: v5}}", crd("v1 served", "v2 served storage"));

    assertThat(versions(schema)).containsExactly("v5", "v10 storage");
    assertThat(schema.inKcp().resource().version()).isEqualTo("v10");
    assertThat(schema.onService().resource().version()).isEqualTo("v2");
  }

  @Test
  void listsVersionsInOrderWithTheCrdsNames() {
    ProjectedSchema schema = project("", crd("v2 served storage", "v1 served"));

    assertThat(versions(schema)).containsExactly("v1", "v2 storage");
    assertThat(schema.spec().get("names"))
        .isEqualTo(
            Map.of(
                "kind", "Certificate",
                "listKind", "CertificateList",
                "plural", "certificates",
                "singular", "certificate",
                "shortNames", List.of("cert")));
  }

  @Test
  void takesAnIrregularPluralAsItIs() {
    ProjectedSchema schema = project("projection: {plural: CERTS}", crd("v1 served storage"));

    assertThat(schema.inKcp().resource().resource()).isEqualTo("certs");
    assertThat(schema.schemaName()).endsWith(".certs.certs.io");
  }

  @Test
  void asksForNoApprovalOutsideOfKubernetesOwnGroups() {
    assertThat(project("", crd("v1 served storage")).approval()).isEmpty();
    assertThat(project("projection: {group: x.k8s.io}", crd("v1 served storage")).approval())
        .hasValueSatisfying(value -> assertThat(value).startsWith("unapproved"));
    KubeObject approved =
        crd("v1 served storage")
            .with(Map.of(ProjectedSchema.APPROVAL, "https://k8s.io/1"), "metadata", "annotations");
    ProjectedSchema schema = project("projection: {group: x.k8s.io}", approved);
    assertThat(schema.schema("agent").annotations())
        .containsEntry(ProjectedSchema.APPROVAL, "https://k8s.io/1");
  }

  @Test
  void isServedByAnOlderSchemaInThatOnesStorageVersion() {
    ProjectedSchema before =
        project("projection: {versions: {v1: v9}}", crd("v1 served storage", "v2 served"));
    ProjectedSchema after =
        project("projection: {versions: {v1: v9}}", crd("v1 served", "v2 served storage"));

    ProjectedSchema served = after.servedBy(before.schema("agent")).orElseThrow();

    assertThat(served.inKcp()).isEqualTo(before.inKcp());
    assertThat(served.onService()).isEqualTo(before.onService());
    assertThat(served.schemaName()).isEqualTo(before.schemaName());
    assertThat(
            project("resource: {versions: [v2]}", crd("v1 served", "v2 served storage"))
                .servedBy(before.schema("agent")))
        .isEmpty();
  }

  @Test
  void refusesToMergeVersions() {
    assertThatThrownBy(() ->
            project("projection: {versions: {v1: v2}}", crd("v1 served", "v2 served storage")))
        .isInstanceOf(InvalidPublishedResource.class)
        .hasMessageContaining("the same name");
  }

  @Test
  void refusesTheSingleVersionFormForSeveralVersions() {
    assertThatThrownBy(
            () -> project("projection: {version: v9}", crd("v1 served", "v2 served storage")))
        .isInstanceOf(InvalidPublishedResource.class)
        .hasMessageContaining("exactly one version");
  }

  @Test
  void derivesNamesFromAProjectedKind() {
    ProjectedSchema schema =
        project(
            "projection: {kind: Zertifikat, group: corp.example, scope: Cluster, shortNames: [],"
                + " categories: [all]}",
            crd("v1 served storage"));

    assertThat(schema.spec().get("names"))
        .isEqualTo(
            Map.of(
                "kind", "Zertifikat",
                "listKind", "ZertifikatList",
                "singular", "zertifikat",
                "plural", "zertifikats",
                "categories", List.of("all")));
    assertThat(schema.inKcp().scope()).isEqualTo(Scope.CLUSTER);
    assertThat(schema.schemaName()).endsWith(".zertifikats.corp.example");
  }

  @Test
  void usesTheDefaultGroupOnlyWithoutAProjectedOne() {
    KubeObject crd = crd("v1 served storage");

    assertThat(
            SchemaProjection.project(published(""), crd, "fallback.io").inKcp().resource().group())
        .isEqualTo("fallback.io");
    assertThat(
            SchemaProjection.project(published("projection: {group: own.io}"), crd, "fallback.io")
                .inKcp()
                .resource()
                .group())
        .isEqualTo("own.io");
  }

  @Test
  void namesEqualContentEquallyAndOtherContentOtherwise() {
    String name = project("", crd("v1 served storage")).schemaName();

    assertThat(project("", reversed(crd("v1 served storage"))).schemaName()).isEqualTo(name);
    assertThat(
            project("", crd("v1 served storage").with(List.of("c"), "spec", "names", "shortNames"))
                .schemaName())
        .isNotEqualTo(name);
  }

  @Test
  void saysWhetherTheStatusSubresourceIsThere() {
    assertThat(project("", crd("v1 served storage")).statusInKcp())
        .isEqualTo(ProjectedSchema.StatusSubresource.ABSENT);
    assertThat(project("", crd("v1 served storage status")).statusInKcp())
        .isEqualTo(ProjectedSchema.StatusSubresource.PRESENT);
  }

  private static List<String> versions(ProjectedSchema schema) {
    return KubeObject.of(schema.spec()).list("versions").stream()
        .map(version -> {
          KubeObject v = KubeObject.of(castMap(version));
          return v.text("name") + (Boolean.TRUE.equals(v.at("storage")) ? " storage" : "");
        })
        .toList();
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> castMap(Object map) {
    return (Map<String, Object>) map;
  }

  @Test
  void keepsSelectableFieldsAndTheNamesOfSchemasWithoutAny() {
    KubeObject crd = crd("v1 served storage");
    KubeObject selectable =
        withVersionField(crd, "selectableFields", List.of(Map.of("jsonPath", ".spec.name")));

    assertThat(project("", crd).schemaName()).isEqualTo("vb257e2eb.certificates.certs.io");
    assertThat(project("", selectable).schemaName()).isNotEqualTo(project("", crd).schemaName());
    assertThat(Trees.at(version(project("", selectable)), "selectableFields"))
        .isEqualTo(List.of(Map.of("jsonPath", ".spec.name")));
  }

  @Test
  void sameColumnsGiveTheNameThatTheyAlwaysGave() {
    KubeObject crd =
        withVersionField(
            crd("v1 served storage"),
            "additionalPrinterColumns",
            List.of(
                Map.of("name", "Age", "type", "date", "jsonPath", ".metadata.creationTimestamp")));

    assertThat(project("", crd).schemaName()).isEqualTo("vc23d8c12.certificates.certs.io");
    assertThat(project("", crd).notices()).isEmpty();
  }

  @Test
  void preservesUnknownFieldsWhereTheCrdDoesSoAsAWhole() {
    KubeObject crd = crd("v1 served storage").with(true, "spec", "preserveUnknownFields");

    assertThat(Trees.at(version(project("", crd)), "schema"))
        .isEqualTo(Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true));
  }

  private static Object version(ProjectedSchema schema) {
    return Trees.list(schema.spec(), "versions").getFirst();
  }

  private static KubeObject withVersionField(KubeObject crd, String field, Object value) {
    var version = new LinkedHashMap<>(Trees.mapOrEmpty(crd.list("spec", "versions").getFirst()));
    version.put(field, value);
    return crd.with(List.of(version), "spec", "versions");
  }

  private static ProjectedSchema project(String spec, KubeObject crd) {
    return SchemaProjection.project(published(spec), crd, "");
  }

  /** The few keys that these tests use, in YAML's flow style, as JSON. */
  private static PublishedResource published(String flow) {
    String json = flow.replaceAll("([A-Za-z][A-Za-z0-9.]*)", "\"$1\"");
    KubeObject spec =
        json.isEmpty() ? KubeObject.of(Map.of()) : KubeJson.readObject("{" + json + "}");
    KubeObject object = KubeObject.of(Map.of("metadata", Map.of("name", "pub", "uid", "u")));
    for (String field : spec.tree().keySet()) {
      object = object.with(spec.at(field), "spec", field);
    }
    return PublishedResource.read(
        object
            .with("certs.io", "spec", "resource", "apiGroup")
            .with("Certificate", "spec", "resource", "kind"));
  }

  private static KubeObject crd(String... versions) {
    return KubeObject.of(
        Map.of(
            "metadata",
            Map.of("name", "certificates.certs.io", "generation", 4),
            "spec",
            Map.of(
                "group",
                "certs.io",
                "scope",
                "Namespaced",
                "names",
                Map.of(
                    "kind", "Certificate",
                    "listKind", "CertificateList",
                    "plural", "certificates",
                    "singular", "certificate",
                    "shortNames", List.of("cert")),
                "versions",
                List.of(versions).stream().map(SchemaProjectionTest::version).toList())));
  }

  private static Map<String, Object> version(String words) {
    return Map.of(
        "name", words.split(" ")[0],
        "served", words.contains("served"),
        "storage", words.contains("storage"),
        "subresources", words.contains("status") ? Map.of("status", Map.of()) : Map.of(),
        "schema", Map.of("openAPIV3Schema", Map.of("type", "object")));
  }

  private static KubeObject reversed(KubeObject crd) {
    var spec = new java.util.LinkedHashMap<String, Object>();
    crd.map("spec").entrySet().stream()
        .sorted(Map.Entry.<String, Object>comparingByKey().reversed())
        .forEach(entry -> spec.put(entry.getKey(), entry.getValue()));
    return crd.with(spec, "spec");
  }
}
