package dev.mooring.syncagent.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedResourceTest {
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
          {"related":[{"identifier":"a","origin":"kcp","kind":"Secret","object":{"selector":{}}}]} => spec.related[0].object.selector.rewrite: one of
          {"related":[{"identifier":"a/b","origin":"service","kind":"Secret","object":{}}]} => spec.related[0].identifier: "a/b"
          {"related":[{"identifier":"a","origin":"kcp","kind":"Secret","object":{"reference":{}}}]} => spec.related[0].object.reference.path is missing
          {"related":[{"identifier":"a","origin":"kcp","kind":"Secret","object":{"reference":{"path":"a.#(b"}}}]} => spec.related[0].object.reference.path:
          {"related":[{"identifier":"a","origin":"kcp","kind":"Secret","object":{"reference":{"path":"a","regex":{"pattern":"("}}}}]} => spec.related[0].object.reference.regex.pattern:
          {"related":[{"identifier":"a","origin":"kcp","kind":"Secret","object":{"template":{"template":"{{ .Nope }}"}}}]} => spec.related[0].object.template: unknown field .Nope
          {"related":[{"identifier":"a","origin":"kcp","kind":"Secret","object":{"selector":{"matchLabels":{"{{ .Nope }}":"x"},"rewrite":{"regex":{}}}}}]} => spec.related[0].object.selector.matchLabels: unknown field .Nope
          {"related":[{"identifier":"a","origin":"kcp","kind":"Secret","object":{"selector":{"rewrite":{"template":{"template":"{{ .Object }}"}}}}}]} => spec.related[0].object.selector.rewrite.template: unknown field .Object
          {"related":[{"identifier":"a","origin":"kcp","kind":"Secret","watch":{},"object":{"template":{"template":"x"}}}]} => spec.related[0].watch: exactly one
          {"related":[{"identifier":"a","origin":"kcp","kind":"Secret","mutation":{"spec":[{}]},"object":{"template":{"template":"x"}}}]} => spec.related[0].mutation.spec[0]: exactly one
          {"filter":{"resource":{"matchExpressions":[{"key":"a","operator":"Near"}]}}} => spec.filter.resource: unknown operator
          """)
  void saysWhichFieldCannotWork(String spec, String message) {
    assertThatThrownBy(() -> read(spec))
        .isInstanceOf(InvalidPublishedResource.class)
        .hasMessageStartingWith(message);
  }

  @Test
  void namesTheFirstTenOfManyMistakes() {
    String nameless = "{\"kind\":\"Secret\",\"origin\":\"kcp\",\"object\":{}}";

    assertThatThrownBy(() -> read("{\"related\":[" + nameless + (", " + nameless).repeat(5) + "]}"))
        .isInstanceOfSatisfying(
            InvalidPublishedResource.class, e -> assertThat(e.problems()).hasSize(12))
        .hasMessageStartingWith(
            "spec.related[0].identifier is missing; spec.related[0].object: one of")
        .hasMessageContaining("spec.related[4].object: ")
        .hasMessageEndingWith("; and 2 more");
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
