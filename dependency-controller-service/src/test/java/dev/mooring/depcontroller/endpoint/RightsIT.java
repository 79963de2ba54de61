package dev.mooring.depcontroller.endpoint;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.depcontroller.DependencyControllerApplication;
import dev.mooring.depcontroller.control.ControllerEnvironment;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.access.RightsMonitor;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.testing.ManagementContract;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.ServerOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * The controller in profile {@code prod}, with a management port, by a user who has the rights of
 * the shipped manifests, or all but one.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RightsIT {
  private static final String USER = "mooring:dependency-controller";
  private static final ResourceType CLUSTER_ROLES =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles");
  private static final ResourceType ROLES =
      new ResourceType("rbac.authorization.k8s.io", "v1", "roles");
  private static final List<String> VERBS =
      List.of("get", "list", "watch", "create", "update", "patch", "delete");

  @TempDir private static Path directory;

  private TestWorkspaces workspaces;
  private ControllerEnvironment env;
  private ConfigurableApplicationContext controller;

  @BeforeAll
  void starts() throws Exception {
    Path readers = Files.writeString(directory.resolve("users.csv"), ManagementContract.USERS);
    workspaces =
        TestWorkspaces.onSandbox(
            ServerOptions.in(directory.resolve("kcp")).withPort(0).withTokenFile(readers));
    env = ControllerEnvironment.prepare(workspaces);
    env.writeRule("vpcs");
    Path kcp = Path.of("../charts/mooring/kcp");
    workspaces.create(WorkspacePath.ROOT, kcp.resolve("rbac-parent-workspace.yaml"));
    for (WorkspacePath provider : List.of(env.network(), env.compute())) {
      workspaces.create(provider, kcp.resolve("rbac-provider-workspace.yaml"));
    }
    workspaces.create(env.dependencies(), kcp.resolve("rbac-endpoint-callers.yaml"));
    workspaces.create(env.dependencies(), ManagementContract.BINDINGS);
    Path kubeconfig =
        workspaces.kubeconfigFor(env.dependencies(), directory.resolve("kubeconfig"), USER);
    controller =
        new SpringApplicationBuilder(DependencyControllerApplication.class)
            .profiles("prod")
            .run(
                "--server.port=0",
                "--management.server.port=0",
                "--webhook-url=https://hook.example.com:9443/validate",
                "--mooring.dependency-controller.leader-election=true",
                "--kubeconfig=" + kubeconfig);
  }

  @AfterAll
  void stops() {
    controller.close();
    workspaces.close();
  }

  @BeforeEach
  void hasAllRights() {
    await().until(() -> env.guardsOnly("vpcs"));
    reviewTwice();
    assertThat(controller.getBean(RightsMonitor.class).findings().all()).isEmpty();
  }

  @Test
  void aControllerWithAllRightsOfTheManifestsIsReady() throws Exception {
    await()
        .untilAsserted(
            () -> assertThat(send("/actuator/health/readiness", "").statusCode()).isEqualTo(200));
    assertThat(Trees.at(rights(), "status")).isEqualTo("UP");
    assertThat(send("/actuator/status", "readers-token").body()).contains("\"rightsMissing\":[]");
  }

  /**
   * What each place has by its manifest; the effect of a right that is missing there. In root kcp
   * itself lets every user read workspaces.
   */
  @ParameterizedTest
  @CsvSource({
    "dependencies, apiexportendpointslices, list, OUT_OF_SERVICE",
    "dependencies, apiexportendpointslices, watch, OUT_OF_SERVICE",
    "dependencies, apiexports/content, list, OUT_OF_SERVICE",
    "dependencies, apiexports/content, watch, OUT_OF_SERVICE",
    "dependencies, apiexports/content, get, OUT_OF_SERVICE",
    "dependencies, apiexports/content, create, OUT_OF_SERVICE",
    "dependencies, apiexports/content, update, OUT_OF_SERVICE",
    "dependencies, apiexports/content, delete, OUT_OF_SERVICE",
    "dependencies, leases, get, UP",
    "dependencies, leases, create, UP",
    "dependencies, leases, update, UP",
    "dependencies, secrets, create, UP",
    "dependencies, secrets, get, UP",
    "dependencies, secrets, update, UP",
    "dependencies, tokenreviews, create, UP",
    "dependencies, subjectaccessreviews, create, UP",
    "network, apiexports, list, UP",
    "network, apiexports, watch, UP",
    "compute, apiexports, list, UP",
    "compute, apiresourceschemas, list, UP",
    "compute, apiresourceschemas, watch, UP"
  })
  void namesTheOneRightThatIsMissingAndWhereItIs(
      String place, String resource, String verb, String effect) throws Exception {
    WorkspacePath workspace = workspace(place);
    List<KubeObject> roles = without(workspace, resource, verb);
    try {
      reviewTwice();

      Map<String, Object> rights = rights();
      assertThat(rights).containsEntry("status", effect);
      assertThat(Trees.listOrEmpty(Trees.at(rights, "details", "missing")))
          .isNotEmpty()
          .allSatisfy(missing ->
              assertThat((String) missing)
                  .startsWith("let user \"" + USER + "\" " + verb + " " + resource)
                  .contains(" in " + workspaceNamed(place)));
      assertThat(controller.getBean(RightsMonitor.class).findings().all()).isNotEmpty();
    } finally {
      roles.forEach(role -> restore(workspace, role));
    }
  }

  private String workspaceNamed(String place) {
    return switch (place) {
      case "dependencies" -> "the workspace of APIExport dependencies.opendefense.cloud";
      case "compute" -> "logical cluster " + workspaces.cluster(env.compute());
      default -> "workspace " + workspace(place);
    };
  }

  private WorkspacePath workspace(String place) {
    return switch (place) {
      case "dependencies" -> env.dependencies();
      case "network" -> env.network();
      default -> env.compute();
    };
  }

  private void reviewTwice() {
    RightsMonitor monitor = controller.getBean(RightsMonitor.class);
    monitor.review();
    monitor.review();
  }

  /**
   * Takes a right from all shipped roles there that grant it.
   *
   * @return the roles as they were
   */
  private List<KubeObject> without(WorkspacePath workspace, String resource, String verb) {
    KubeClient client = workspaces.client(workspace);
    var roles = new ArrayList<KubeObject>();
    for (ResourceType type : List.of(CLUSTER_ROLES, ROLES)) {
      client.list(type, ListQuery.ALL).items().stream()
          .filter(role -> role.name().startsWith("dependency-"))
          .filter(role -> !role.name().equals("dependency-webhook"))
          .filter(role -> !narrowed(role, resource, verb).equals(role.list("rules")))
          .forEach(roles::add);
    }
    assertThat(roles).as("roles that grant it").isNotEmpty();
    for (KubeObject role : roles) {
      set(client, role, narrowed(role, resource, verb));
    }
    return roles;
  }

  private static List<Object> narrowed(KubeObject role, String resource, String verb) {
    var rules = new ArrayList<Object>();
    for (Object rule : role.list("rules")) {
      var resources = new ArrayList<>(Trees.listOrEmpty(Trees.at(rule, "resources")));
      List<Object> verbs = Trees.listOrEmpty(Trees.at(rule, "verbs"));
      if (resources.remove(resource) && (verbs.contains(verb) || verbs.contains("*"))) {
        List<?> left =
            (verbs.contains("*") ? VERBS : verbs).stream().filter(v -> !v.equals(verb)).toList();
        // A rule without verbs is refused.
        if (!left.isEmpty()) {
          var rest = new LinkedHashMap<>(Trees.mapOrEmpty(rule));
          rest.put("resources", List.of(resource));
          rest.put("verbs", left);
          rules.add(rest);
        }
        if (!resources.isEmpty()) {
          var others = new LinkedHashMap<>(Trees.mapOrEmpty(rule));
          others.put("resources", resources);
          rules.add(others);
        }
      } else {
        rules.add(rule);
      }
    }
    return rules;
  }

  private void restore(WorkspacePath workspace, KubeObject role) {
    set(workspaces.client(workspace), role, role.list("rules"));
  }

  private static void set(KubeClient client, KubeObject role, List<Object> rules) {
    ResourceType type = role.namespace().isEmpty() ? CLUSTER_ROLES : ROLES;
    client.patch(type, role.namespace(), role.name(), Map.of("rules", rules));
  }

  private Map<String, Object> rights() throws Exception {
    String body = send("/actuator/health/readiness", "").body();
    return Trees.mapOrEmpty(
        KubeJson.readObject(body.getBytes(StandardCharsets.UTF_8)).at("components", "rights"));
  }

  private HttpResponse<String> send(String path, String token) throws Exception {
    String port = controller.getEnvironment().getProperty("local.management.port");
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }
  }
}
