package dev.mooring.acceptance;

import static dev.mooring.acceptance.Chart.grants;
import static dev.mooring.acceptance.Chart.named;
import static dev.mooring.acceptance.Chart.ofKind;
import static dev.mooring.acceptance.Chart.refusal;
import static dev.mooring.acceptance.Chart.render;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.harness.Manifests;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What is applied in kcp, rendered from the files that can be applied as they are. */
class ChartKcpManifestsTest {
  private static final Comparator<KubeObject> BY_KIND_AND_NAME =
      Comparator.comparing(KubeObject::kind).thenComparing(KubeObject::name);
  private static final String GATEWAYS =
      "dependents: [{apiGroups: [edge.example.corp], resources: [gateways]}]\n";
  private static final String OTHER_USERS =
      """
      users:
        syncAgent: "CN=agent, with \\"quotes\\""
        dependencyController: controller@example.org
        dependencyWebhook: system:kcp:serviceaccount:2hh1nlb5kf5kw3rh:dependency-system:webhook
      """;

  @ParameterizedTest
  @CsvSource({
    // And provider-apibinding, by a hook, which this engine does not render: see ChartInstallIT.
    "dependency-workspace, apiresourceschema apiexport rbac-dependency-workspace"
        + " rbac-endpoint-callers",
    "parent-workspace, rbac-parent-workspace",
    "provider-workspace, rbac-provider-workspace provider-apibinding",
    "shard, rbac-shard-system-admin",
    "agent-workspace, rbac-agent-workspace rbac-agent-workspace-prune",
  })
  void rendersAPlacesFilesAndNothingElse(String place, String files) {
    List<KubeObject> rendered = new ArrayList<>(render(Chart.ALL_SERVICES, at(place, "")));

    List<KubeObject> shipped = new ArrayList<>();
    for (String file : files.split(" ")) {
      shipped.addAll(Manifests.ofFile(Chart.DIRECTORY.resolve("kcp/" + file + ".yaml")));
    }
    rendered.replaceAll(object -> object.without("metadata", "annotations"));
    rendered.sort(BY_KIND_AND_NAME);
    shipped.sort(BY_KIND_AND_NAME);
    assertThat(rendered).isEqualTo(shipped);
  }

  @ParameterizedTest
  @CsvSource({
    "dependency-workspace, controller@example.org"
        + " system:kcp:serviceaccount:2hh1nlb5kf5kw3rh:dependency-system:webhook",
    "provider-workspace, controller@example.org",
    "shard, system:kcp:serviceaccount:2hh1nlb5kf5kw3rh:dependency-system:webhook",
  })
  void grantsToTheUsersThatTheValuesName(String place, String users) {
    assertThat(subjects(render(at(place, OTHER_USERS))))
        .containsExactlyInAnyOrderElementsOf(List.of(users.split(" ")));
  }

  @Test
  void grantsToAUserWithSpecialCharactersInItsName() {
    assertThat(subjects(render(at("agent-workspace", OTHER_USERS))))
        .containsExactly("CN=agent, with \"quotes\"");
  }

  private static List<Object> subjects(List<KubeObject> objects) {
    return objects.stream()
        .flatMap(object -> object.list("subjects").stream())
        .peek(subject -> assertThat(Trees.at(subject, "kind")).isEqualTo("User"))
        .map(subject -> Trees.at(subject, "name"))
        .distinct()
        .toList();
  }

  @Test
  void grantsTheAgentItsOwnExportAndPruningOnlyWhereItIsAskedFor() {
    List<KubeObject> objects =
        render("kcpManifests: {place: agent-workspace, apiExport: databases.example.corp}");

    assertThat(ofKind(objects, "ClusterRole"))
        .extracting(KubeObject::name)
        .containsExactly("sync-agent");
    assertThat(named(objects, "ClusterRole", "sync-agent").list("rules"))
        .contains(
            Map.of(
                "apiGroups", List.of("apis.kcp.io"),
                "resources", List.of("apiexports/content"),
                "resourceNames", List.of("databases.example.corp"),
                "verbs", List.of("*")))
        .noneMatch(rule -> rule.toString().contains("certificates.example.corp"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "kcpManifests: {publishing: External}",
        "syncAgent: {publishing: External}",
      })
  void grantsTheAgentNoWritesOfWhatComesFromGit(String external) {
    List<KubeObject> objects =
        render(
            "kcpManifests: {place: agent-workspace, apiExport: certificates.example.corp}",
            external);

    assertThat(objects)
        .isEqualTo(
            Manifests.ofFile(Chart.DIRECTORY.resolve("kcp/rbac-agent-workspace-external.yaml")));
    assertThat(grants(named(objects, "ClusterRole", "sync-agent")))
        .filteredOn(grant -> grant.matches("apis.kcp.io/(apiexports|apiresourceschemas): .*"))
        .containsExactly(
            "apis.kcp.io/apiexports: get",
            "apis.kcp.io/apiexports: list",
            "apis.kcp.io/apiexports: watch",
            "apis.kcp.io/apiresourceschemas: get",
            "apis.kcp.io/apiresourceschemas: list",
            "apis.kcp.io/apiresourceschemas: watch");
  }

  @Test
  void grantsNoPruningOfWhatComesFromGit() {
    assertThat(refusal(at("agent-workspace", ""), "syncAgent: {publishing: External}"))
        .contains("kcpManifests.prune lets the agent delete schemas, and publishing is External");
  }

  @Test
  void bindsTheExportWhereItIs() {
    KubeObject binding =
        named(
            render(at("provider-workspace", "dependencyWorkspace: root:platform:dependencies")),
            "APIBinding",
            "dependencies.opendefense.cloud");

    assertThat(binding.text("spec", "reference", "export", "path"))
        .isEqualTo("root:platform:dependencies");
  }

  @Test
  void keepsTheExportOfRulesWhenTheReleaseGoes() {
    List<KubeObject> objects = render(at("dependency-workspace", ""));

    for (String kind : List.of("APIExport", "APIResourceSchema")) {
      assertThat(ofKind(objects, kind))
          .singleElement()
          .extracting(object -> object.text("metadata", "annotations", "helm.sh/resource-policy"))
          .isEqualTo("keep");
    }
  }

  @Test
  void rolesOfAnInstallationHaveItsName() {
    List<KubeObject> objects = render(at("shard", "installation: blue"));

    assertThat(objects)
        .extracting(KubeObject::name)
        .containsExactly("dependency-webhook-blue", "dependency-webhook-blue");
    assertThat(ofKind(objects, "ClusterRoleBinding"))
        .extracting(binding -> binding.text("roleRef", "name"))
        .containsExactly("dependency-webhook-blue");
  }

  @Test
  void grantsNoReadsOfTypesThatNothingNames() {
    assertThat(refusal("kcpManifests: {place: shard}"))
        .contains("kcpManifests.dependents: name the types of all rules' dependents");
  }

  /** What is shipped names each right; only the agent's own export is its own as a whole. */
  @ParameterizedTest
  @ValueSource(
      strings = {"dependency-workspace", "parent-workspace", "provider-workspace", "shard"})
  void grantsNothingByAWildcard(String place) {
    for (KubeObject role : render(at(place, ""))) {
      assertThat(grants(role)).as(role.name()).noneMatch(grant -> grant.contains("*"));
    }
  }

  @Test
  void theWebhookMayNotTouchTheControllersLease() {
    for (KubeObject role : ofKind(render(at("dependency-workspace", "")), "Role")) {
      if (role.name().equals("dependency-webhook")) {
        assertThat(grants(role).stream().anyMatch(grant -> grant.contains("leases")))
            .isEqualTo(role.namespace().equals("dependency-races"));
      }
    }
  }

  @Test
  void grantsTheWebhookTheTypesThatRulesNameAndNoOthers() {
    List<KubeObject> objects =
        render(
            at(
                "shard",
                """
                dependents: [{apiGroups: [compute.example.corp], resources: [virtualmachines]}]
                racedTargets: [{apiGroups: [network.example.corp], resources: [vpcs]}]
                """));

    KubeObject role = named(objects, "ClusterRole", "dependency-webhook");
    assertThat(grants(role))
        .contains(
            "apis.kcp.io/apibindings: get",
            "apis.kcp.io/apibindings: list",
            "apis.kcp.io/apiexports: get",
            "core.kcp.io/logicalclusters: get",
            "compute.example.corp/virtualmachines: get",
            "compute.example.corp/virtualmachines: list",
            "compute.example.corp/virtualmachines: watch",
            "network.example.corp/vpcs: get",
            "network.example.corp/vpcs: list",
            "/events: create",
            "/events: patch",
            "authorization.k8s.io/subjectaccessreviews: create")
        .noneMatch(grant -> grant.contains("*"))
        .noneMatch(grant -> grant.contains("secrets"))
        .noneMatch(grant -> grant.contains("gateways"))
        .doesNotContain("network.example.corp/vpcs: watch");
    assertThat(subjects(objects)).containsExactly("mooring:dependency-webhook");
  }

  @ParameterizedTest
  @ValueSource(strings = {"dependency-workspace", "parent-workspace", "provider-workspace"})
  void refusesAServiceAccountForTheControllerWhichCouldNotReadParents(String place) {
    for (String user :
        List.of(
            "system:serviceaccount:dependency-system:x",
            "system:kcp:serviceaccount:2hh1nlb5kf5kw3rh:dependency-system:x")) {
      assertThat(refusal(at(place, "users: {dependencyController: '%s'}".formatted(user))))
          .contains(
              "kcpManifests.users.dependencyController is "
                  + user
                  + ": kcp lets no ServiceAccount read workspaces.tenancy.kcp.io outside its own"
                  + " workspace");
    }
  }

  @Test
  void refusesAServiceAccountsLocalNameInSystemAdminWhichTenantsWouldInherit() {
    assertThat(refusal(at("shard", users("system:serviceaccount:dependency-system:x"))))
        .contains(
            "kcpManifests.users.dependencyWebhook is system:serviceaccount:dependency-system:x: in"
                + " system:admin this name grants the service nothing, because outside its own"
                + " workspace kcp calls a ServiceAccount"
                + " system:kcp:serviceaccount:<logical cluster>:<namespace>:<name>; and the"
                + " ServiceAccount that any tenant makes under this name would get all of it");
  }

  @Test
  void takesAServiceAccountInItsOwnWorkspace() {
    String webhook = "system:serviceaccount:dependency-system:webhook";

    assertThat(
            subjects(render(at("agent-workspace", users("system:serviceaccount:default:agent")))))
        .containsExactly("system:serviceaccount:default:agent");
    assertThat(
            subjects(
                render(
                    at(
                        "dependency-workspace",
                        "users: {dependencyWebhook: '%s'}".formatted(webhook)))))
        .containsExactlyInAnyOrder("mooring:dependency-controller", webhook);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "system:anonymous",
        "system:authenticated",
        "system:unauthenticated",
        "system:masters"
      })
  void refusesAUserWhoIsNotOneService(String user) {
    assertThat(refusal(at("shard", users(user))))
        .contains("kcpManifests.users.dependencyWebhook is " + user + ", which is not one service");
  }

  @Test
  void refusesNamesThatAreKcpsOwnAndNone() {
    assertThat(refusal(at("shard", users("system:cluster:2hh1nlb5kf5kw3rh"))))
        .contains(
            "names that begin with system: are kcp's own", "such as mooring:dependency-webhook");
    assertThat(refusal(at("shard", users(""))))
        .contains("kcpManifests.users.dependencyWebhook is empty");
    assertThat(refusal(at("shard", users(" "))))
        .contains("kcpManifests.users.dependencyWebhook is empty");
    assertThat(refusal(at("shard", users("a ")))).contains("begins or ends in a space");
  }

  @Test
  void refusesOnlyTheUsersOfThePlace() {
    assertThat(
            subjects(
                render(
                    at("shard", "users: {dependencyController: system:masters, syncAgent: ''}"))))
        .containsExactly("mooring:dependency-webhook");
  }

  @Test
  void refusesAPlaceThatLacksSomething() {
    assertThat(refusal("kcpManifests: {place: agent-workspace}"))
        .contains("kcpManifests.apiExport: name the sync agent's APIExport");
    assertThat(refusal("kcpManifests: {place: workspace}"))
        .contains("kcpManifests", "place", "dependency-workspace");
  }

  @Test
  void namesThePlaceToThoseWhoStillSetRender() {
    assertThat(refusal("kcpManifests: {render: true, webhookUser: x}"))
        .contains(
            "kcpManifests.render is no longer a value",
            "set kcpManifests.place to shard",
            "kcpManifests.webhookUser is no longer a value: name the user in"
                + " kcpManifests.users.dependencyWebhook");
  }

  private static String at(String place, String more) {
    String needed =
        switch (place) {
          case "agent-workspace" -> "apiExport: certificates.example.corp\nprune: true\n";
          case "shard" -> more.contains("dependents") ? "" : GATEWAYS;
          default -> "";
        };
    return "kcpManifests:\n" + ("place: " + place + "\n" + needed + more).indent(2);
  }

  private static String users(String name) {
    return "users: {syncAgent: '%s', dependencyController: '%s', dependencyWebhook: '%s'}"
        .formatted(name, name, name);
  }
}
