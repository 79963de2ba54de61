package dev.mooring.model.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedResourceTest {
  private static final LogicalCluster CLUSTER = new LogicalCluster("c1");

  @Test
  void readsTheSimplestForm() {
    PublishedResource published = read("{}");

    assertThat(published.kind()).isEqualTo("Certificate");
    assertThat(published.naming()).isEqualTo(Naming.DEFAULT);
    assertThat(published.synchronization()).isEqualTo(PublishedResource.Synchronization.ON);
    assertThat(published.resourceFilter()).isEqualTo(LabelSelector.EVERYTHING);
    assertThat(published.adoption()).isEmpty();
  }

  @Test
  void namesByDefaultWhereNamingIsEmpty() {
    assertThat(read("{\"naming\":{\"namespace\":\"\",\"name\":\"\"}}").naming())
        .isEqualTo(Naming.DEFAULT);
    assertThat(read("{\"naming\":{\"namespace\":\"foobar\"}}").naming().name())
        .isEqualTo(NamePattern.DEFAULT_NAME);
  }

  @Test
  void readsARelatedSecretByReference() {
    RelatedResource related =
        read("""
        {"related":[{"identifier":"tls","origin":"service","kind":"Secret",
         "object":{"reference":{"path":"spec.secretName"},
                   "namespace":{"reference":{"path":"metadata.uid","regex":{"replacement":"ks"}}}}}]}
        """)
            .related()
            .getFirst();

    assertThat(related.type()).isEqualTo(ResourceType.core("secrets"));
    assertThat(related.cleanup()).isEqualTo(RelatedResource.Cleanup.KEEP);
    KubeObject primary =
        KubeObject.of(
            Map.of("metadata", Map.of("uid", "u1"), "spec", Map.of("secretName", "mine")));
    assertThat(related.name().locate(Locator.Side.KCP, primary, CLUSTER, Optional.empty()))
        .contains("mine");
    assertThat(
            related
                .namespace()
                .orElseThrow()
                .locate(Locator.Side.KCP, primary, CLUSTER, Optional.empty()))
        .contains("ks");
  }

  @Test
  void rendersARelatedNameOncePerSide() {
    RelatedResource related =
        read("""
        {"related":[{"identifier":"tls","origin":"platform","resource":"configmaps","version":"v1",
         "object":{"template":{"template":"{{ .Side }}-{{ .Object.metadata.name }}"}}}]}
        """)
            .related()
            .getFirst();
    KubeObject primary = KubeObject.of(Map.of("metadata", Map.of("name", "web")));

    assertThat(related.name().locate(Locator.Side.KCP, primary, CLUSTER, Optional.empty()))
        .contains("kcp-web");
    assertThat(related.name().locate(Locator.Side.SERVICE, primary, CLUSTER, Optional.empty()))
        .contains("service-web");
    assertThat(related.cleanup()).isEqualTo(RelatedResource.Cleanup.DELETE);
  }

  @Test
  void findsNothingWhereTheReferencedFieldIsMissing() {
    Locator locator = Locator.read(Map.of("reference", Map.of("path", "spec.list.1.name")), "f");
    KubeObject primary =
        KubeJson.readObject("{\"spec\":{\"list\":[{\"name\":\"a\"},{\"name\":\"b\"}]}}");

    assertThat(locator.locate(Locator.Side.KCP, primary, CLUSTER, Optional.empty())).contains("b");
    assertThat(locator.locate(Locator.Side.KCP, KubeObject.of(Map.of()), CLUSTER, Optional.empty()))
        .isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      textBlock =
          """
          {"naming":{"name":"{{ .Foo }}"}} => spec.naming.name: unknown field .Foo
          {"naming":{"namespace":"{{ nope }}"}} => spec.naming.namespace: function "nope"
          {"mutation":{"spec":[{"delete":{"path":"x"}},{}]}} => spec.mutation.spec[1]: exactly one of delete, regex, template or cel is needed
          {"projection":{"scope":"Odd"}} => spec.projection.scope
          {"synchronization":{"enabled":true,"adoption":"Maybe"}} => spec.synchronization.adoption
          {"related":[{"origin":"service"}]} => spec.related[0].identifier is missing
          {"related":[{"identifier":"a","origin":"moon"}]} => spec.related[0].origin
          {"related":[{"identifier":"a","origin":"kcp","kind":"Pod","object":{}}]} => spec.related[0].kind
          {"related":[{"identifier":"a","origin":"kcp","kind":"Secret","object":{}}]} => spec.related[0].object: one of
          {"related":[{"identifier":"a","origin":"kcp","kind":"Secret","object":{"selector":{}}}]} => spec.related[0].object.selector is not supported yet
          {"filter":{"resource":{"matchExpressions":[{"key":"a","operator":"Near"}]}}} => spec.filter.resource: unknown operator
          """)
  void saysWhichFieldCannotWork(String spec, String message) {
    assertThatThrownBy(() -> read(spec))
        .isInstanceOf(InvalidPublishedResource.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void selectsByLabelsAndExpressions() {
    LabelSelector selector =
        LabelSelector.read(
            KubeJson.read(
                """
                {"matchLabels":{"a":"1"},"matchExpressions":[
                 {"key":"b","operator":"NotIn","values":["x"]},{"key":"c","operator":"Exists"},
                 {"key":"d","operator":"DoesNotExist"}]}
                """),
            "f");

    assertThat(selector.matches(Map.of("a", "1", "c", ""))).isTrue();
    assertThat(selector.matches(Map.of("a", "2", "c", ""))).isFalse();
    assertThat(selector.matches(Map.of("a", "1", "b", "x", "c", ""))).isFalse();
    assertThat(selector.matches(Map.of("a", "1"))).isFalse();
    assertThat(selector.matches(Map.of("a", "1", "c", "", "d", ""))).isFalse();
  }

  private static PublishedResource read(String spec) {
    KubeObject object =
        KubeObject.of(Map.of("metadata", Map.of("name", "pub", "uid", "u")))
            .with(KubeJson.read(spec), "spec")
            .with("Certificate", "spec", "resource", "kind")
            .with("certs.io", "spec", "resource", "apiGroup");
    return PublishedResource.read(object);
  }
}
