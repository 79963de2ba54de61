package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.crd.Definitions;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The feature WorkspaceMounts, as kcp's {@code TestMountsMachinery} sees it. */
class MountsIT {
  private static final String WORKSPACES = "/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces";
  private static final String SITES = "/clusters/root/apis/contrib.example.io/v1/sites";
  private static final KubeObject DEFINITION =
      Definitions.object(
          """
          apiVersion: apiextensions.k8s.io/v1
          kind: CustomResourceDefinition
          metadata: {name: sites.contrib.example.io}
          spec:
            group: contrib.example.io
            scope: Cluster
            names: {plural: sites, kind: Site}
            versions:
            - name: v1
              served: true
              storage: true
              subresources: {status: {}}
              schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
          """);

  private SandboxClient admin;

  @Test
  void aMountedWorkspaceFollowsTheObjectThatItRefersTo(@TempDir Path root) {
    try (var sandbox =
        KcpSandbox.start(ServerOptions.in(root).withFeatures(FeatureGate.WORKSPACE_MOUNTS))) {
      admin = SandboxClient.of(sandbox, "kcp-admin");
      String mounted = "/clusters/root:mounted/api/v1/namespaces/default";
      admin.post(
          WORKSPACES,
          workspace(
              "mounted",
              Map.of(
                  "mount",
                  Map.of(
                      "ref",
                      Map.of(
                          "apiVersion", "contrib.example.io/v1", "kind", "Site", "name", "far")))));
      admin.post(WORKSPACES, workspace("target", Map.of()));
      await().until(() -> phase("target").equals("Ready"));
      String url = admin.get(WORKSPACES + "/target").body().text("spec", "URL");
      admin.post(
          "/clusters/root/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
      await().until(() -> admin.get(SITES).status() == 200);

      admin.post(
          SITES,
          Map.of(
              "apiVersion",
              "contrib.example.io/v1",
              "kind",
              "Site",
              "metadata",
              Map.of("name", "far")));
      await().until(() -> phase("mounted").equals("Unavailable"));
      assertThat(condition())
          .isEqualTo(
              "MountObjectNotReady: Mount is not reporting ready. See Site \"far\" status for more details");

      admin.patch(
          SITES + "/far/status", "merge", Map.of("status", Map.of("phase", "Ready", "URL", url)));
      await().until(() -> phase("mounted").equals("Ready"));
      await().until(() -> admin.get(mounted).status() == 200);

      admin.patch(SITES + "/far/status", "merge", Map.of("status", Map.of("phase", "Connecting")));
      await().until(() -> phase("mounted").equals("Unavailable"));
      await().until(() -> admin.get(mounted).status() == 503);

      admin.delete(SITES + "/far");
      await().until(() -> condition().equals("MountObjectNotFound: Site \"/far\" not found"));
      admin.delete(WORKSPACES + "/mounted");
      await().until(() -> admin.get(WORKSPACES + "/mounted").status() == 404);
    }
  }

  private static Map<String, Object> workspace(String name, Map<String, Object> spec) {
    return Map.of(
        "apiVersion",
        "tenancy.kcp.io/v1alpha1",
        "kind",
        "Workspace",
        "metadata",
        Map.of("name", name),
        "spec",
        spec);
  }

  private String phase(String name) {
    return admin.get(WORKSPACES + "/" + name).body().text("status", "phase");
  }

  private String condition() {
    KubeObject workspace = admin.get(WORKSPACES + "/mounted").body();
    return workspace.list("status", "conditions").stream()
        .filter(it -> "WorkspaceMountReady".equals(Trees.at(it, "type")))
        .map(it -> Trees.text(it, "reason") + ": " + Trees.text(it, "message"))
        .findFirst()
        .orElse("");
  }
}
