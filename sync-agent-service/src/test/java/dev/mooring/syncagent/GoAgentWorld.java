package dev.mooring.syncagent;

import static dev.mooring.syncagent.TwoClusters.SECRETS;

import dev.mooring.languages.Hashes;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Makes what the Go agent would have made of objects in one workspace, byte for byte.
 *
 * @param cluster the workspace's logical cluster
 */
record GoAgentWorld(TwoClusters clusters, String cluster) {
  /** Held by the finalizer, as the Go agent does first. */
  static void hold(KubeClient workspace, ResourceType type, KubeObject original) {
    workspace.patch(
        type,
        original.namespace(),
        original.name(),
        Map.of("metadata", Map.of("finalizers", List.of("syncagent.kcp.io/cleanup"))));
  }

  /** The copy of a primary object, with its marks. */
  KubeObject copy(ResourceType type, KubeObject source, String namespace, String name) {
    RelatedStage.namespace(clusters.service(), namespace);
    return clusters
        .service()
        .create(
            type,
            KubeObject.of(
                Map.of(
                    "apiVersion",
                    type.apiVersion(),
                    "kind",
                    source.kind(),
                    "metadata",
                    Map.of(
                        "namespace",
                        namespace,
                        "name",
                        name,
                        "labels",
                        marks(source, "syncagent.kcp.io/agent-name", "certs-syncagent"),
                        "annotations",
                        Map.of(
                            "syncagent.kcp.io/remote-object-name",
                            source.name(),
                            "syncagent.kcp.io/remote-object-namespace",
                            source.namespace())),
                    "spec",
                    source.map("spec"))));
  }

  /**
   * The Secret that the Go agent keeps what it knows in.
   *
   * @param states entries as of {@link #entry}
   */
  KubeObject states(KubeObject primary, Map<String, String> states) {
    String identity =
        "{\"apiVersion\":\"%s\",\"kind\":\"%s\",\"name\":\"%s\",\"namespace\":\"%s\"}\n"
            .formatted(primary.apiVersion(), primary.kind(), primary.name(), primary.namespace());
    return clusters
        .service()
        .create(
            SECRETS,
            KubeObject.of(
                Map.of(
                    "apiVersion",
                    "v1",
                    "kind",
                    "Secret",
                    "metadata",
                    Map.of(
                        "namespace",
                        "default",
                        "name",
                        "obj-state-" + cluster + "-" + Hashes.sha1Short(identity),
                        "labels",
                        marks(primary, "syncagent.kcp.io/object-state", "true")),
                    "data",
                    Map.copyOf(states))));
  }

  /** One object's state; on the service cluster objects are of no workspace. */
  Map.Entry<String, String> entry(Where where, KubeObject object) {
    String name =
        "{\"ClusterName\":\"%s\",\"WorkspacePath\":\"\",\"Namespace\":\"%s\",\"Name\":\"%s\"}\n"
            .formatted(where == Where.KCP ? cluster : "", object.namespace(), object.name());
    KubeObject state =
        object.with(Map.of("namespace", object.namespace(), "name", object.name()), "metadata");
    return Map.entry(
        Hashes.sha1(name),
        Base64.getEncoder()
            .encodeToString(KubeJson.writeText(state.tree()).getBytes(StandardCharsets.UTF_8)));
  }

  /** Where an original is. */
  enum Where {
    KCP,
    SERVICE
  }

  private Map<String, String> marks(KubeObject source, String key, String value) {
    var marks = new HashMap<String, String>();
    marks.put(key, value);
    marks.put("syncagent.kcp.io/remote-object-cluster", cluster);
    marks.put("syncagent.kcp.io/remote-object-name-hash", Hashes.sha1(source.name()));
    marks.put("syncagent.kcp.io/remote-object-namespace-hash", Hashes.sha1(source.namespace()));
    return marks;
  }
}
