package dev.mooring.sandbox;

import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.crd.Definitions;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.core.ThrowingRunnable;

/** Workspaces, exports and bindings on the shards of a sandbox. */
final class ShardedTenants {
  static final String WORKSPACES = "/apis/tenancy.kcp.io/v1alpha1/workspaces";
  static final String BINDINGS = "/apis/apis.kcp.io/v1alpha2/apibindings";
  static final String SLICES = "/apis/apis.kcp.io/v1alpha1/apiexportendpointslices";
  static final String GIZMOS = "/apis/export.example.io/v1/namespaces/default/gizmos";
  private static final Duration SEEN_WITHIN = Duration.ofSeconds(60);

  final KcpSandbox sandbox;

  /** Through the front proxy. */
  final SandboxClient front;

  /** In {@code system:masters}, at no shard yet. */
  private final SandboxClient masters;

  /** A workspace. */
  record Tenant(String path, String cluster) {
    String at(String rest) {
      return "/clusters/" + cluster + rest;
    }
  }

  ShardedTenants(KcpSandbox sandbox) {
    this.sandbox = sandbox;
    this.front = SandboxClient.of(sandbox, "kcp-admin");
    this.masters = SandboxClient.of(sandbox, "shard-admin");
  }

  /** The administrator at a shard's own address. */
  SandboxClient at(String shard) {
    return front.at(sandbox.shard(shard).url());
  }

  SandboxClient mastersAt(String shard) {
    return masters.at(sandbox.shard(shard).url());
  }

  static void eventually(ThrowingRunnable assertion) {
    await().atMost(SEEN_WITHIN).untilAsserted(assertion);
  }

  /** A ready workspace below root, on the given shard. */
  Tenant workspace(String name, String shard) {
    return workspace("root", name, shard);
  }

  Tenant workspace(String parent, String name, String shard) {
    front.post("/clusters/" + parent + WORKSPACES, workspaceObject(name, shard));
    return ready(parent, name);
  }

  static Map<String, Object> workspaceObject(String name, String shard) {
    return Map.of(
        "apiVersion",
        "tenancy.kcp.io/v1alpha1",
        "kind",
        "Workspace",
        "metadata",
        Map.of("name", name),
        "spec",
        Map.of(
            "type", Map.of("name", "universal", "path", "root"),
            "location", Map.of("selector", Map.of("matchLabels", Map.of("name", shard)))));
  }

  /** Waits until the workspace is ready and the front proxy knows it. */
  Tenant ready(String parent, String name) {
    String workspace = "/clusters/" + parent + WORKSPACES + "/" + name;
    eventually(() -> {
      if (!front.get(workspace).body().text("status", "phase").equals("Ready")) {
        throw new AssertionError(front.get(workspace).body());
      }
      if (front.get("/clusters/" + parent + ":" + name + "/api/v1/namespaces").status() != 200) {
        throw new AssertionError("the front proxy does not know " + parent + ":" + name);
      }
    });
    KubeObject made = front.get(workspace).body();
    return new Tenant(parent + ":" + name, made.text("spec", "cluster"));
  }

  /** Offers gizmos in a workspace. */
  void export(Tenant provider) {
    front.post(provider.at("/apis/apis.kcp.io/v1alpha1/apiresourceschemas"), SCHEMA);
    front.post(provider.at("/apis/apis.kcp.io/v1alpha2/apiexports"), EXPORT);
  }

  /** Binds gizmos; tried again until the shard of the consumer knows the export. */
  void bind(Tenant consumer, Tenant provider) {
    eventually(() -> {
      SandboxClient.Answer answer = front.post(consumer.at(BINDINGS), binding(provider));
      if (answer.status() != 201 && answer.status() != 409) {
        throw new AssertionError(answer);
      }
    });
    eventually(() -> {
      KubeObject binding = front.get(consumer.at(BINDINGS + "/gizmos")).body();
      if (!binding.text("status", "phase").equals("Bound")) {
        throw new AssertionError(binding);
      }
    });
  }

  static Map<String, Object> binding(Tenant provider) {
    return binding(provider, "gizmos");
  }

  static Map<String, Object> binding(Tenant provider, String name) {
    var reference = Map.of("export", Map.of("path", provider.path(), "name", "gizmos"));
    return Map.of(
        "apiVersion",
        "apis.kcp.io/v1alpha2",
        "kind",
        "APIBinding",
        "metadata",
        Map.of("name", name),
        "spec",
        Map.of("reference", reference));
  }

  SandboxClient.Answer gizmo(Tenant consumer, String name) {
    return front.post(
        consumer.at(GIZMOS),
        Map.of(
            "apiVersion", "export.example.io/v1",
            "kind", "Gizmo",
            "metadata", Map.of("name", name)));
  }

  /** The URLs of a slice. */
  List<String> endpoints(Tenant workspace, String slice) {
    return front.get(workspace.at(SLICES + "/" + slice)).body().list("status", "endpoints").stream()
        .map(endpoint -> Trees.textOrEmpty(Trees.at(endpoint, "url")))
        .toList();
  }

  /** The export's virtual workspace at a shard. */
  String view(String shard, Tenant provider) {
    URI url = sandbox.shard(shard).url();
    return url + "/services/apiexport/" + provider.cluster() + "/gizmos";
  }

  static List<String> names(KubeObject list) {
    return list.list("items").stream()
        .map(item -> Trees.textOrEmpty(Trees.at(item, "metadata", "name")))
        .toList();
  }

  private static final KubeObject SCHEMA =
      Definitions.object(
          """
          apiVersion: apis.kcp.io/v1alpha1
          kind: APIResourceSchema
          metadata: {name: v1.gizmos.export.example.io}
          spec:
            group: export.example.io
            scope: Namespaced
            names: {plural: gizmos, singular: gizmo, kind: Gizmo, listKind: GizmoList}
            versions:
            - name: v1
              served: true
              storage: true
              schema: {type: object, x-kubernetes-preserve-unknown-fields: true}
          """);

  private static final KubeObject EXPORT =
      Definitions.object(
          """
          apiVersion: apis.kcp.io/v1alpha2
          kind: APIExport
          metadata: {name: gizmos}
          spec:
            resources:
            - {group: export.example.io, name: gizmos, schema: v1.gizmos.export.example.io, storage: {crd: {}}}
          """);
}
