package dev.mooring.sandbox.kcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.KcpHashes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BindingsTest {
  private static final ResourceType GIZMOS = new ResourceType("export.example.io", "v1", "gizmos");
  private static final String BINDINGS = "apibindings.apis.kcp.io";

  private final KcpServer server = new KcpServer();

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void givesAnExportIdentityAndEndpoints() {
    LogicalCluster provider = exporting("provider");
    KubeObject export = server.get(provider, "apiexports.apis.kcp.io", "gizmos").orElseThrow();

    assertThat(export.text("status", "identityHash")).matches("[0-9a-f]{64}");
    assertThat(server.get(provider, "secrets", "kcp-system", "gizmos")).isPresent();
    KubeObject slice =
        server.eventually(
            provider,
            "apiexportendpointslices.apis.kcp.io",
            "gizmos",
            seen -> seen.hasCondition("APIExportValid"));
    assertThat(slice.list("status", "endpoints")).isEmpty();

    bind(server.workspace("consumer"), "gizmos", "provider");

    KubeObject bound =
        server.eventually(
            provider,
            "apiexportendpointslices.apis.kcp.io",
            "gizmos",
            seen -> !seen.list("status", "endpoints").isEmpty());
    assertThat(bound.list("status", "endpoints").toString())
        .contains("https://kcp.test:6443/services/apiexport/" + provider + "/gizmos");
  }

  @Test
  void servesABoundResourceAndRemovesItWithTheBinding() {
    LogicalCluster provider = exporting("provider");
    LogicalCluster consumer = server.workspace("consumer");
    KubeObject binding = bind(consumer, "gizmos", "provider");
    String identity =
        server
            .get(provider, "apiexports.apis.kcp.io", "gizmos")
            .orElseThrow()
            .text("status", "identityHash");

    assertThat(server.find(consumer, GIZMOS))
        .get()
        .extracting(definition -> definition.resourceKey().identity())
        .isEqualTo(identity);
    assertThat(server.find(provider, GIZMOS)).isEmpty();
    server.create(
        consumer,
        """
        {"apiVersion": "export.example.io/v1", "kind": "Gizmo",
         "metadata": {"name": "g", "namespace": "default"}}
        """);

    server.delete(consumer, binding);

    server.eventuallyGone(consumer, BINDINGS, "gizmos");
    assertThat(server.get(consumer, "gizmos.export.example.io:" + identity, "default", "g"))
        .isEmpty();
  }

  @Test
  void keepsABindingForAsLongAsAdmissionKeepsAnObjectOfIt() {
    exporting("provider");
    LogicalCluster consumer = server.workspace("consumer");
    KubeObject binding = bind(consumer, "gizmos", "provider");
    server.create(
        consumer,
        """
        {"apiVersion": "export.example.io/v1", "kind": "Gizmo",
         "metadata": {"name": "kept", "namespace": "default"}}
        """);
    server.keep("kept");

    server.delete(consumer, binding);

    KubeObject waiting =
        server.eventually(
            consumer,
            BINDINGS,
            "gizmos",
            seen -> seen.list("status", "conditions").toString().contains("it is kept"));
    assertThat(waiting.list("status", "conditions"))
        .anySatisfy(condition -> {
          assertThat(Trees.at(condition, "type")).isEqualTo("BindingResourceDeleteSuccess");
          assertThat(Trees.at(condition, "reason")).isEqualTo("ResourceDeletionFailed");
        });

    server.keepNoMore("kept");

    server.eventuallyGone(consumer, BINDINGS, "gizmos");
  }

  @Test
  void leavesASecondBindingOfTheSameNamesWaiting() {
    exporting("one");
    exporting("two");
    LogicalCluster consumer = server.workspace("consumer");
    KubeObject first = bind(consumer, "gizmos", "one");
    server.create(consumer, binding("second", "two", ""));

    server.eventually(
        consumer,
        BINDINGS,
        "second",
        seen ->
            seen.text("status", "phase").equals("Binding")
                && seen.list("status", "conditions").toString().contains("NamingConflicts"));

    server.delete(consumer, first);

    server.eventually(
        consumer, BINDINGS, "second", seen -> seen.text("status", "phase").equals("Bound"));
  }

  @Test
  void refusesABindingWithoutTheRight() {
    exporting("provider");
    LogicalCluster consumer = server.workspace("consumer");
    server.refuse(KcpServer.ADMIN, "bind");

    assertThatThrownBy(() -> server.create(consumer, binding("b", "provider", "")))
        .hasMessage(
            "apibindings.apis.kcp.io \"b\" is forbidden: unable to create APIBinding: no permission"
                + " to bind to export root:provider:gizmos");
  }

  @Test
  void labelsClaimedObjectsForAsLongAsTheClaimIsAccepted() {
    LogicalCluster provider = server.workspace("provider");
    export(
        provider,
        ", \"permissionClaims\": [{\"group\": \"\", \"resource\": \"configmaps\", \"verbs\":"
            + " [\"*\"]}]");
    LogicalCluster consumer = server.workspace("consumer");
    server.create(consumer, configMap("before"));
    server.create(consumer, binding("gizmos", "provider", claim("Accepted")));
    KubeObject bound =
        server.eventually(
            consumer,
            BINDINGS,
            "gizmos",
            seen -> !seen.list("status", "appliedPermissionClaims").isEmpty());
    String label = "claimed.internal.apis.kcp.io/" + KcpHashes.export(provider, "gizmos");

    assertThat(server.get(consumer, "configmaps", "default", "before"))
        .get()
        .extracting(object -> object.labels().containsKey(label))
        .isEqualTo(true);
    assertThat(server.create(consumer, configMap("after")).labels()).containsKey(label);

    server.replace(
        consumer,
        bound.with(
            List.of(
                Map.of(
                    "group", "",
                    "resource", "configmaps",
                    "identityHash", "",
                    "verbs", List.of("*"),
                    "selector", Map.of("matchAll", true),
                    "state", "Rejected")),
            "spec",
            "permissionClaims"));

    server.eventually(
        consumer,
        BINDINGS,
        "gizmos",
        seen -> seen.list("status", "appliedPermissionClaims").isEmpty());
    assertThat(server.get(consumer, "configmaps", "default", "before").orElseThrow().labels())
        .doesNotContainKey(label);
  }

  @Test
  void labelsWhatWasAdmittedBeforeAClaimWasAcceptedAndStoredAfter() throws Exception {
    LogicalCluster provider = server.workspace("provider");
    export(
        provider,
        ", \"permissionClaims\": [{\"group\": \"\", \"resource\": \"configmaps\", \"verbs\":"
            + " [\"*\"]}]");
    LogicalCluster consumer = server.workspace("consumer");
    KcpServer.HeldBack late = server.holdBack("late");
    String label = "claimed.internal.apis.kcp.io/" + KcpHashes.export(provider, "gizmos");
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<KubeObject> creating =
          threads.submit(() -> server.create(consumer, configMap("late")));
      late.arrived().await();
      server.create(consumer, binding("gizmos", "provider", claim("Accepted")));
      server.eventually(
          consumer,
          BINDINGS,
          "gizmos",
          seen -> !seen.list("status", "appliedPermissionClaims").isEmpty());

      late.released().countDown();

      assertThat(creating.get().labels()).doesNotContainKey(label);
    }
    await()
        .untilAsserted(() ->
            assertThat(server.get(consumer, "configmaps", "default", "late").orElseThrow().labels())
                .containsKey(label));
  }

  private LogicalCluster exporting(String workspace) {
    LogicalCluster provider = server.workspace(workspace);
    export(provider, "");
    return provider;
  }

  private void export(LogicalCluster provider, String claims) {
    server.create(
        provider,
        """
        {"apiVersion": "apis.kcp.io/v1alpha1", "kind": "APIResourceSchema",
         "metadata": {"name": "v1.gizmos.export.example.io"},
         "spec": {"group": "export.example.io", "scope": "Namespaced",
          "names": {"plural": "gizmos", "singular": "gizmo", "kind": "Gizmo", "listKind": "GizmoList"},
          "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"type": "object"}}]}}
        """);
    server.create(
        provider,
        """
        {"apiVersion": "apis.kcp.io/v1alpha2", "kind": "APIExport", "metadata": {"name": "gizmos"},
         "spec": {"resources": [{"group": "export.example.io", "name": "gizmos",
          "schema": "v1.gizmos.export.example.io", "storage": {"crd": {}}}]%s}}
        """
            .formatted(claims));
    server.eventually(
        provider,
        "apiexports.apis.kcp.io",
        "gizmos",
        seen -> !seen.text("status", "identityHash").isEmpty());
  }

  private KubeObject bind(LogicalCluster consumer, String name, String provider) {
    server.create(consumer, binding(name, provider, ""));
    KubeObject bound =
        server.eventually(
            consumer, BINDINGS, name, seen -> seen.text("status", "phase").equals("Bound"));
    await().until(() -> server.find(consumer, GIZMOS).isPresent());
    return bound;
  }

  private static String binding(String name, String provider, String claims) {
    return """
    {"apiVersion": "apis.kcp.io/v1alpha2", "kind": "APIBinding", "metadata": {"name": "%s"},
     "spec": {"reference": {"export": {"path": "root:%s", "name": "gizmos"}}%s}}
    """
        .formatted(name, provider, claims);
  }

  private static String claim(String state) {
    return ", \"permissionClaims\": [{\"group\": \"\", \"resource\": \"configmaps\","
        + " \"identityHash\": \"\", \"verbs\": [\"*\"], \"selector\": {\"matchAll\": true},"
        + " \"state\": \""
        + state
        + "\"}]";
  }

  private static String configMap(String name) {
    return """
    {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "%s", "namespace": "default"}}
    """
        .formatted(name);
  }
}
