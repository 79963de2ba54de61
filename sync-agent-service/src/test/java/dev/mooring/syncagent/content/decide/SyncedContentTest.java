package dev.mooring.syncagent.content.decide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SyncedContentTest {
  @Test
  void takesContentAndLeavesWhatBelongsToTheServerAndTheMachinery() {
    KubeObject object =
        KubeJson.readObject(
            """
            {"apiVersion":"v1","kind":"Thing","metadata":{"name":"a","namespace":"n","uid":"u",
             "resourceVersion":"3","generation":2,"creationTimestamp":"t","managedFields":[{}],
             "ownerReferences":[{}],"finalizers":["f"],
             "labels":{"mine":"1","syncagent.kcp.io/agent-name":"evil",
                       "claimed.internal.apis.kcp.io/x":"y"},
             "annotations":{"note":"2","kcp.io/cluster":"c",
                            "kubectl.kubernetes.io/last-applied-configuration":"{}",
                            "related-resources.syncagent.kcp.io/a.0":"{}"}},
             "spec":{"x":null},"roleRef":{"a":1},"status":{"phase":"x"}}
            """);

    assertThat(SyncedContent.of(object))
        .isEqualTo(
            KubeJson.readObject(
                    """
                    {"metadata":{"labels":{"mine":"1"},"annotations":{"note":"2"}},
                     "spec":{"x":null},"roleRef":{"a":1}}
                    """)
                .tree());
  }

  @Test
  void neitherCarriesManagedFieldsOverNorDependsOnThem() {
    KubeObject source =
        KubeJson.readObject(
            """
            {"apiVersion":"v1","kind":"Thing","metadata":{"name":"a","labels":{"mine":"1"},
             "managedFields":[{"manager":"consumer","fieldsV1":{"f:spec":{"f:x":{}}}}]},
             "spec":{"x":1}}
            """);
    KubeObject copy =
        KubeJson.readObject(
            """
            {"apiVersion":"v1","kind":"Thing","metadata":{"name":"b",
             "managedFields":[{"manager":"somebody","fieldsV1":{"f:spec":{"f:x":{}}}}]},
             "spec":{"x":0,"local":2}}
            """);
    Map<String, Object> content = SyncedContent.of(source);
    KubeObject bare = copy.without("metadata", "managedFields");

    assertThat(content).isEqualTo(SyncedContent.of(source.without("metadata", "managedFields")));
    assertThat(SyncedContent.asObject(content, "v1", "Thing", "", "b").map("metadata"))
        .doesNotContainKey("managedFields");
    for (Map<String, Object> lastKnown : List.of(Map.<String, Object>of(), content)) {
      Map<String, Object> patch =
          SyncedContent.patch(copy, SyncedContent.threeWay(copy, lastKnown, content));
      assertThat(patch.toString()).doesNotContain("managedFields");
      assertThat(patch)
          .isEqualTo(SyncedContent.patch(bare, SyncedContent.threeWay(bare, lastKnown, content)));
    }
    assertThat(SyncedContent.patch(copy, SyncedContent.overlay(copy, content)))
        .isEqualTo(SyncedContent.patch(bare, SyncedContent.overlay(bare, content)));
    assertThat(SyncedContent.patch(copy, SyncedContent.enforced(copy, content)))
        .isEqualTo(SyncedContent.patch(bare, SyncedContent.enforced(bare, content)));
  }

  @Test
  void losesOneLabelWithTheLastLabelOfTheSourceAndNothingElse() {
    KubeObject copy =
        KubeJson.readObject(
            "{\"metadata\":{\"name\":\"a\",\"labels\":{\"last\":\"1\",\"local\":\"2\"}}}");
    Map<String, Object> before =
        KubeJson.readObject("{\"metadata\":{\"labels\":{\"last\":\"1\"}}}").tree();

    assertThat(SyncedContent.threeWay(copy, before, Map.of()))
        .isEqualTo(
            KubeJson.readObject("{\"metadata\":{\"name\":\"a\",\"labels\":{\"local\":\"2\"}}}"));
  }

  @Test
  void leavesOutMetadataThatIsEmpty() {
    KubeObject object = KubeJson.readObject("{\"metadata\":{\"name\":\"a\",\"labels\":{}}}");

    assertThat(SyncedContent.of(object)).isEmpty();
  }

  @Test
  void marksNameTheSourceByHashAndInFull() {
    var marks =
        new SourceMarks(
            new ObjectKey(new LogicalCluster("c1"), "default", "web"),
            "agent",
            Optional.of("root:org"));

    assertThat(marks.labels())
        .isEqualTo(
            Map.of(
                SyncMarks.SOURCE_CLUSTER, "c1",
                SyncMarks.SOURCE_NAMESPACE_HASH, "7505d64a54e061b7acd54ccd58b49dc43500b635",
                SyncMarks.SOURCE_NAME_HASH, "ca84d1343b96baa8137c943ed1860e522cacb238",
                SyncMarks.AGENT_NAME, "agent"));
    assertThat(marks.annotations())
        .isEqualTo(
            Map.of(
                SyncMarks.SOURCE_NAMESPACE, "default",
                SyncMarks.SOURCE_NAME, "web",
                SyncMarks.SOURCE_WORKSPACE_PATH, "root:org"));
  }

  @Test
  void aMarkedObjectLeadsBackToItsSource() {
    var source = new ObjectKey(new LogicalCluster("c1"), "", "web");
    var marks = new SourceMarks(source, "agent", Optional.empty());
    KubeObject copy =
        SyncedContent.marked(KubeObject.of(Map.of()), marks.labels(), marks.annotations());

    assertThat(SourceMarks.sourceOf(copy)).contains(source);
    assertThat(SourceMarks.identityOf(copy)).isEqualTo(SourceMarks.identity(source));
    assertThat(SourceMarks.sourceOf(KubeObject.of(Map.of()))).isEmpty();
    assertThat(SourceMarks.identityOf(KubeObject.of(Map.of()))).isEmpty();
  }
}
