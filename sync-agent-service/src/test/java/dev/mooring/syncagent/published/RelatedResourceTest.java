package dev.mooring.syncagent.published;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.languages.TemplateFailure;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.RelatedResource.Cleanup;
import dev.mooring.syncagent.published.RelatedResource.StatusSync;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RelatedResourceTest {
  private static final String OBJECT = "'object':{'template':{'template':'x'}}}";

  @Test
  void readsALegacyKindAsACoreType() {
    RelatedResource entry =
        read("{'kind':'ConfigMap','object':{'template':{'template':'x'}}}", "service");

    assertThat(entry.originalType()).isEqualTo(ResourceType.core("configmaps"));
    assertThat(entry.copyType()).isEqualTo(ResourceType.core("configmaps"));
    assertThat(entry.cleanup()).isEqualTo(Cleanup.KEEP);
    assertThat(entry.statusSync()).isEqualTo(StatusSync.OFF);
  }

  @Test
  void projectsTheTypeOnTheSideOfTheCopy() {
    String spec =
        """
        {'group':'eksempel.no','version':'v1','resource':'backups','syncStatus':true,'cleanup':true,
         'identityHash':'abc','projection':{'group':'kcp.example.com','version':'v2'},
         'watch':{'byOwner':{}},'object':{'template':{'template':'x'}}}
        """;

    RelatedResource up = read(spec, "service");
    RelatedResource down = read(spec, "kcp");

    var named = new ResourceType("eksempel.no", "v1", "backups");
    var projected = new ResourceType("kcp.example.com", "v2", "backups");
    assertThat(up.types()).isEqualTo(new RelatedResource.Types(projected, named));
    assertThat(up.originalType()).isEqualTo(named);
    assertThat(down.types()).isEqualTo(new RelatedResource.Types(named, projected));
    assertThat(down.copyType()).isEqualTo(projected);
    assertThat(up.identityHash()).isEqualTo("abc");
    assertThat(up.statusSync()).isEqualTo(StatusSync.FORWARD);
    assertThat(List.of(up.cleanup(), down.cleanup()))
        .containsExactly(Cleanup.DELETE, Cleanup.DELETE);
  }

  @ParameterizedTest
  @CsvSource({
    "Orphan, service, ORPHAN",
    "OnPrimaryDeletion, service, DELETE_WITH_PRIMARY",
    "MatchOrigin, service, DELETE",
    "Orphan, kcp, DELETE"
  })
  void readsTheCleanupPolicy(String policy, String origin, Cleanup expected) {
    assertThat(
            read("{'kind':'Secret','cleanupPolicy':'" + policy + "'," + OBJECT, origin).cleanup())
        .isEqualTo(expected);
  }

  @Test
  void refusesACleanupPolicyThatContradicts() {
    assertThatThrownBy(() ->
            read("{'kind':'Secret','cleanup':true,'cleanupPolicy':'Orphan'," + OBJECT, "service"))
        .isInstanceOf(InvalidPublishedResource.class)
        .hasMessageContaining("cleanupPolicy: Orphan contradicts cleanup: true");
  }

  @ParameterizedTest
  @CsvSource(
      delimiterString = "=>",
      textBlock =
          """
          spec.name => [one]
          spec.items.#.name => [a, , c]
          spec.items.1.name => ['']
          spec.items.9.name => []
          spec.missing => []
          spec.padded => [trimmed]
          spec.count => [3]
          """)
  void readsTheValuesOfAReference(String path, String expected) {
    var locator =
        (Locator.Reference) Locator.read(tree("{'reference':{'path':'" + path + "'}}"), "f");

    assertThat(locator.values(Side.KCP, primaries())).hasToString(expected.replace("['']", "[]"));
  }

  @Test
  void refusesAReferenceToAnObject() {
    var locator = (Locator.Reference) Locator.read(tree("{'reference':{'path':'spec'}}"), "f");

    assertThatThrownBy(() -> locator.values(Side.KCP, primaries()))
        .isInstanceOf(TemplateFailure.class)
        .hasMessage("spec is an object, not a name");
  }

  @Test
  void appliesARegularExpressionToEveryValueOfAReference() {
    var locator =
        (Locator.Reference)
            Locator.read(
                tree(
                    "{'reference':{'path':'spec.names',"
                        + "'regex':{'pattern':'^(\\\\w+)-(\\\\w+)$','replacement':'$2.$1'}}}"),
                "f");

    assertThat(locator.values(Side.KCP, primaries())).containsExactly("b.a", "plain");
  }

  @Test
  void putsTheReplacementInPlaceOfAValueWhereThePatternIsEmpty() {
    var locator =
        (Locator.Reference)
            Locator.read(
                tree("{'reference':{'path':'spec.name','regex':{'replacement':'fixed'}}}"), "f");

    assertThat(locator.values(Side.SERVICE, primaries())).containsExactly("fixed");
  }

  @Test
  void rendersATemplateWithTheSidesOwnPrimary() {
    var locator =
        (Locator.Template)
            Locator.read(
                tree(
                    "{'template':{'template':'{{ .Side }}-{{ .Object.spec.name }}"
                        + "-{{ .ClusterName }}-{{ .ClusterPath }}'}}"),
                "f");

    assertThat(locator.render(Side.KCP, primaries())).isEqualTo("kcp-one-c1-root:a");
    assertThat(locator.render(Side.SERVICE, primaries())).isEqualTo("service-two-c1-root:a");
  }

  @Test
  void rendersKeysAndValuesOfASelectorIntoASelectorOfItsOwn() {
    var selector =
        (Locator.Selector)
            Locator.read(
                tree(
                    """
                    {'selector':{'matchLabels':{'  {{ .RemoteObject.spec.name }} ':' {{ .ClusterName }} ',
                     'plain':'text','{{ "" }}':'dropped'},
                     'matchExpressions':[{'key':'also','operator':'Exists'}],
                     'rewrite':{'template':{'template':'{{ .Value }}-{{ .RelatedObject.metadata.name }}'}}}}
                    """),
                "f");

    LabelSelector first = selector.labels().render(primaries());
    LabelSelector second =
        selector
            .labels()
            .render(
                new Primaries(
                    new LogicalCluster("c2"),
                    Optional.empty(),
                    object("{'spec':{'name':'other'}}"),
                    object("{}")));

    assertThat(first.matches(Map.of("one", "c1", "plain", "text", "also", ""))).isTrue();
    assertThat(first.matches(Map.of("other", "c2", "plain", "text", "also", ""))).isFalse();
    assertThat(second.matches(Map.of("other", "c2", "plain", "text", "also", ""))).isTrue();
    assertThat(second.matches(Map.of("one", "c1", "plain", "text", "also", ""))).isFalse();
    assertThat(first.matches(Map.of("one", "c1", "plain", "text"))).isFalse();
    assertThat(
            selector
                .rewrite()
                .rewrite("v", primaries(), Optional.of(object("{'metadata':{'name':'n'}}"))))
        .isEqualTo("v-n");
  }

  @Test
  void refusesASelectorThatNothingIsLeftOf() {
    var selector =
        (Locator.Selector)
            Locator.read(
                tree(
                    "{'selector':{'matchLabels':{'{{ .RemoteObject.metadata.name | default \"\""
                        + " }}':'x'},'rewrite':{'regex':{'replacement':'y'}}}}"),
                "f");

    assertThatThrownBy(() -> selector.labels().render(primaries()))
        .isInstanceOf(TemplateFailure.class)
        .hasMessageContaining("no label is left");
  }

  private static Primaries primaries() {
    return new Primaries(
        new LogicalCluster("c1"),
        Optional.of("root:a"),
        object(
            """
            {'metadata':{},'spec':{'name':'one','padded':'  trimmed ','count':3,'names':['a-b','plain'],
             'items':[{'name':'a'},{'name':''},{'name':'c'}]}}
            """),
        object("{'spec':{'name':'two'}}"));
  }

  private static KubeObject object(String json) {
    return KubeJson.readObject(json.replace('\'', '"'));
  }

  private static Object tree(String json) {
    return KubeJson.read(
        json.replace("{{ \"\" }}", "{{ `` }}")
            .replace("default \"\"", "default ``")
            .replace('\'', '"'));
  }

  private static RelatedResource read(String spec, String origin) {
    KubeObject entry = object(spec).with(origin, "origin").with("id", "identifier");
    return RelatedResource.read(entry.tree(), "spec.related[0]");
  }
}
