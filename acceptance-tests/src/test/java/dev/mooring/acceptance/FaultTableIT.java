package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.copy;
import static dev.mooring.acceptance.Objects.delete;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.acceptance.Fault.Answer;
import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Program;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Makes the {@link FaultTable} on the running services, asks {@code mooring why} as a consumer with
 * a ServiceAccount of its workspace and as the provider, heals the fault, and asks again. Runs
 * after {@link LeastPrivilegeIT}, as {@link WhyIT}.
 */
@ExtendWith(Mooring.class)
@Order(Integer.MAX_VALUE)
@Tag("full")
class FaultTableIT {
  private static final String EXPORT = "certificates.example.corp";
  private static final ResourceType QUOTAS = ResourceType.core("resourcequotas");
  private static final ResourceType CLUSTER_ROLES =
      new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles");
  private static final ResourceType POLICIES =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingadmissionpolicies");
  private static final ResourceType POLICY_BINDINGS =
      new ResourceType("admissionregistration.k8s.io", "v1", "validatingadmissionpolicybindings");

  private Mooring.Running running;
  private ClusterClient blue;
  private ClusterClient service;
  private ClusterClient compute;

  @TempDir private Path directory;

  /** How a fault is made, and how it is healed. */
  private record Making(Runnable cause, Runnable heal) {}

  @BeforeEach
  void take(Mooring.Running given) {
    running = given;
    blue = running.stage().blue();
    service = running.stage().serviceCluster();
    compute = running.stage().compute();
  }

  static List<Fault> faults() {
    return FaultTable.ALL;
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void answersAndIsFineAgain(Fault fault) {
    assertThat(makings()).containsKey(fault.title());
    Making making = makings().get(fault.title()).get();
    making.cause().run();
    try {
      expect(fault, "consumer", fault.consumer());
      expect(fault, "provider", fault.provider());
    } finally {
      making.heal().run();
    }
    expectFine(fault);
  }

  private void expect(Fault fault, String view, Answer expected) {
    await(fault.title() + " as " + view)
        .untilAsserted(() -> {
          MooringRun run = why(fault, view);
          KubeObject answer = parsed(run);
          assertThat(answer.text("cause", "reason")).as("%s", run).isEqualTo(expected.reason());
          assertThat(answer.text("cause", "who")).isEqualTo(expected.who());
          assertThat(plain(answer.text("cause", "object"))).isEqualTo(expected.change());
          assertThat(answer.text("cause", "command").isEmpty())
              .isEqualTo(expected.who().equals("none"));
          assertThat(run.status()).isEqualTo(expected.status());
        });
  }

  /** That the object is gone is fine, too. */
  private void expectFine(Fault fault) {
    for (String view : List.of("consumer", "provider")) {
      await(fault.title() + " is healed for the " + view)
          .untilAsserted(() -> {
            MooringRun run = why(fault, view);
            assertThat(run.err().contains("there is no ") || run.status() == 0)
                .as("%s", run)
                .isTrue();
          });
    }
  }

  private MooringRun why(Fault fault, String view) {
    var arguments = new ArrayList<>(fault.asked());
    arguments.addAll(List.of("-o", "json"));
    if (view.equals("provider")) {
      arguments.add("--service-kubeconfig=" + service.kubeconfig());
      arguments.add("--agent-url=http://127.0.0.1:" + running.suite().ports().agent());
    }
    return Why.run(
        view.equals("provider") ? blue.kubeconfig() : consumer(), arguments.toArray(String[]::new));
  }

  /** The owner of team-blue's workspace: everything there, and nothing elsewhere. */
  private Path consumer() {
    ServiceAccounts.bind(blue, "owner", "cluster-admin");
    return Kubeconfig.read(blue.kubeconfig())
        .withUser(Map.of("token", ServiceAccounts.token(blue, "default", "owner")))
        .write(directory.resolve("owner.kubeconfig"));
  }

  private static KubeObject parsed(MooringRun run) {
    try {
      assertThat(run.err()).isEmpty();
      return KubeJson.readObject(run.out().getBytes(StandardCharsets.UTF_8));
    } catch (MalformedJson e) {
      throw new AssertionError(run.out(), e);
    }
  }

  /** Without what differs from run to run. */
  private String plain(String text) {
    return text.replace(running.stage().org().value(), "root:org")
        .replace(cluster(), "CLUSTER")
        .replaceAll("[0-9a-f]{20}-[0-9a-f]{20}", "COPY");
  }

  private String cluster() {
    return blue.client()
        .find(Types.API_BINDINGS, "", EXPORT)
        .orElseThrow()
        .logicalCluster()
        .orElseThrow()
        .name();
  }

  private Map<String, Supplier<Making>> makings() {
    var makings = new LinkedHashMap<String, Supplier<Making>>();
    makings.put(
        "syncing is paused for the object",
        () ->
            new Making(
                () ->
                    blue.client()
                        .create(
                            Types.CERTIFICATES,
                            certificate("paused", "a.example.org")
                                .with(
                                    "true", "metadata", "annotations", "syncagent.kcp.io/paused")),
                () ->
                    blue.client()
                        .patch(
                            Types.CERTIFICATES,
                            "default",
                            "paused",
                            Map.of("metadata", annotations("syncagent.kcp.io/paused", null)))));
    makings.put(
        "the PublishedResource pauses syncing",
        () ->
            published(
                "type-paused", Map.of("synchronization", Map.of("enabled", true, "paused", true))));
    makings.put(
        "the filter does not select the Namespace",
        () ->
            published(
                "ns-filtered",
                Map.of(
                    "filter", Map.of("namespace", Map.of("matchLabels", Map.of("tier", "gold"))))));
    makings.put(
        "the PublishedResource disables syncing",
        () -> published("disabled", Map.of("synchronization", Map.of("enabled", false))));
    makings.put(
        "the filter does not select the object",
        () ->
            published(
                "filtered",
                Map.of(
                    "filter", Map.of("resource", Map.of("matchLabels", Map.of("tier", "gold"))))));
    makings.put(
        "the copy's name is too long",
        () ->
            published(
                "long",
                Map.of(
                    "naming", Map.of("name", "{{ .Object.metadata.name }}-" + "x".repeat(250)))));
    makings.put(
        "a template of the PublishedResource is invalid",
        () -> published("lowr", Map.of("naming", Map.of("name", "{{ lowr }}"))));
    makings.put(
        "a related entry looks in a field that no object has",
        () -> related("misnamed", Map.of("reference", Map.of("path", "spec.secretNme"))));
    makings.put(
        "the template of a related entry fails",
        () ->
            related(
                "unresolvable",
                Map.of("template", Map.of("template", "{{ index .Object.spec.dnsNames 7 }}"))));
    makings.put(
        "a mutation renders no value",
        () ->
            published(
                "no-value",
                mutation(
                    "template",
                    Map.of("path", "spec.secretName", "template", "{{ .RemoteObject.spec.no }}"))));
    makings.put(
        "a mutation deletes a required field",
        () -> published("deleted", mutation("delete", Map.of("path", "spec.dnsNames"))));
    makings.put(
        "a mutation in CEL has no result",
        () ->
            published(
                "cel",
                mutation(
                    "cel", Map.of("path", "spec.secretName", "expression", "self.spec.no.such"))));
    makings.put("a ResourceQuota of the service cluster is used up", () -> quota());
    makings.put("the service cluster's policy denies the copy", () -> policy());
    makings.put("the agent may not create copies", () -> permission());
    makings.put("the APIBinding does not accept a claim", () -> claim());
    makings.put("a finalizer holds the copy of a deleted object", () -> heldCopy());
    makings.put(
        "a finalizer of the consumer holds the object",
        () ->
            new Making(
                () -> {
                  created(
                      certificate("held", "a.example.org")
                          .with(List.of("example.org/own"), "metadata", "finalizers"));
                  awaitReady(blue, "held");
                  delete(blue, Types.CERTIFICATES, "held");
                  await()
                      .until(() ->
                          Objects.find(blue, Types.CERTIFICATES, "held")
                              .filter(left -> left.finalizers().equals(List.of("example.org/own")))
                              .isPresent());
                },
                () -> finalizers(blue, Types.CERTIFICATES, "default", "held")));
    makings.put(
        "another policy refuses the deletion",
        () ->
            new Making(
                () -> {
                  blue.client().create(Types.VPCS, vpc("kept"));
                  policy(
                      running.stage().network(),
                      "network.example.corp",
                      "vpcs",
                      "DELETE",
                      "oldObject.metadata.name != 'kept'");
                },
                () -> noPolicy(running.stage().network())));
    makings.put(
        "the PublishedResource was deleted",
        () ->
            new Making(
                () -> {
                  saved = published();
                  service
                      .client()
                      .delete(
                          Types.PUBLISHED_RESOURCES,
                          "",
                          "certificates",
                          new DeleteCondition.Unconditional());
                  created(certificate("unpublished", "a.example.org"));
                },
                () ->
                    service
                        .client()
                        .create(
                            Types.PUBLISHED_RESOURCES,
                            KubeObject.of(
                                Map.of(
                                    "apiVersion", saved.apiVersion(),
                                    "kind", "PublishedResource",
                                    "metadata", Map.of("name", "certificates"),
                                    "spec", saved.map("spec"))))));
    makings.put(
        "the agent is stopped, and the object is new",
        () ->
            new Making(
                () -> {
                  running.suite().service(Program.SYNC_AGENT).kill();
                  created(certificate("stopped", "a.example.org"));
                },
                this::startAgent));
    makings.put(
        "the agent is stopped, and the object changes",
        () ->
            new Making(
                () -> {
                  created(certificate("unseen-change", "a.example.org"));
                  awaitReady(blue, "unseen-change");
                  running.suite().service(Program.SYNC_AGENT).kill();
                  // Until a second begins that no Event of the agent is in.
                  String first = changed("first");
                  await().until(() -> !changed("later").equals(first));
                },
                this::startAgent));
    makings.put("a dependent refers to the object", () -> deletion("referred", "", rule -> {}));
    makings.put("an annotation bypasses the rule", () -> deletion("bypassed", "true", rule -> {}));
    makings.put(
        "the dependency webhook does not run",
        () ->
            new Making(
                () -> {
                  blue.client().create(Types.VPCS, vpc("unanswered"));
                  running.suite().service(Program.DEPENDENCY_WEBHOOK).kill();
                },
                () -> {
                  running.suite().relaunch(Program.DEPENDENCY_WEBHOOK);
                  running.suite().awaitReady(Program.DEPENDENCY_WEBHOOK);
                }));
    makings.put("the webhook may not read the rule's dependents", () -> unreadable());
    makings.put(
        "the rule reads another field",
        () ->
            deletion(
                "other-field",
                "",
                rule -> dependency(rule).put("fieldRef", path(".spec.subnetRef.name"))));
    makings.put(
        "the rule's own export does not exist",
        () ->
            deletion(
                "own-export",
                "",
                rule -> Trees.mapOrEmpty(rule.get("dependent")).put("apiExportName", "nosuch")));
    makings.put(
        "the rule names a resource that the target's export lacks",
        () -> deletion("resource", "", rule -> dependency(rule).put("resource", "vpc")));
    makings.put(
        "the rule names a workspace that does not bind the rules' API",
        () ->
            deletion(
                "path",
                "",
                rule ->
                    Trees.mapOrEmpty(dependency(rule).get("apiExportRef"))
                        .put("path", running.stage().org().child("certificates").value())));
    makings.put(
        "the rule names a version that is not served",
        () ->
            deletion(
                "version",
                "",
                rule -> Trees.mapOrEmpty(rule.get("dependent")).put("version", "v9")));
    makings.put(
        "the controller is stopped, and a rule changes",
        () -> {
          Making unread =
              deletion(
                  "unread-rule", "", rule -> dependency(rule).put("fieldRef", path(".spec.size")));
          return new Making(
              () -> {
                running.suite().service(Program.DEPENDENCY_CONTROLLER).kill();
                unread.cause().run();
              },
              () -> {
                running.suite().relaunch(Program.DEPENDENCY_CONTROLLER);
                running.suite().awaitReady(Program.DEPENDENCY_CONTROLLER);
                unread.heal().run();
              });
        });
    makings.put(
        "a finalizer holds an object of a type that is not synced",
        () ->
            new Making(
                () -> {
                  blue.client()
                      .create(
                          Types.VPCS,
                          vpc("stuck").with(List.of("example.org/own"), "metadata", "finalizers"));
                  delete(blue, Types.VPCS, "stuck");
                },
                () -> finalizers(blue, Types.VPCS, "default", "stuck")));
    makings.put("the CustomResourceDefinition was deleted", () -> definition());
    makings.put("the Namespace of the copy is being deleted", () -> leavingNamespace());
    makings.put(
        "spec.naming gives two objects one name",
        () -> {
          Making second =
              published("second-of-one-name", Map.of("naming", Map.of("name", "one-name")));
          return new Making(
              () -> {
                patchPublished(Map.of("naming", Map.of("name", "one-name")));
                created(certificate("first-of-one-name", "a.example.org"));
                awaitReady(blue, "first-of-one-name");
                second.cause().run();
              },
              second.heal());
        });
    makings.put(
        "a policy of the consumer's workspace denies the related Secret",
        () ->
            new Making(
                () -> {
                  policy(blue, "", "secrets", "CREATE", "object.metadata.name != 'own-policy-tls'");
                  created(certificate("own-policy", "a.example.org"));
                },
                () -> noPolicy(blue)));
    makings.put(
        "a finalizer holds the dependent, which is being deleted",
        () -> {
          Making referred = deletion("left", "", rule -> {});
          Map<String, Object> held = Map.of("finalizers", List.of("example.org/detach"));
          return new Making(
              () -> {
                referred.cause().run();
                blue.client()
                    .patch(
                        Types.VIRTUAL_MACHINES, "default", "left-user", Map.of("metadata", held));
                delete(blue, Types.VIRTUAL_MACHINES, "left-user");
              },
              () -> finalizers(blue, Types.VIRTUAL_MACHINES, "default", "left-user"));
        });
    return makings;
  }

  private Making leavingNamespace() {
    Making placed =
        published("leaving-namespace", Map.of("naming", Map.of("namespace", "leaving")));
    ResourceType maps = ResourceType.core("configmaps");
    return new Making(
        () -> {
          service
              .client()
              .create(
                  Types.NAMESPACES, KubeObject.of(Types.NAMESPACES, "Namespace", "", "leaving"));
          service
              .client()
              .create(
                  maps,
                  KubeObject.of(maps, "ConfigMap", "leaving", "held")
                      .with(List.of("example.org/own"), "metadata", "finalizers"));
          service
              .client()
              .delete(Types.NAMESPACES, "", "leaving", new DeleteCondition.Unconditional());
          placed.cause().run();
        },
        () -> {
          finalizers(service, maps, "leaving", "held");
          placed.heal().run();
        });
  }

  private KubeObject saved = KubeObject.of(Map.of());

  /** The time that the server records for the change. */
  private String changed(String name) {
    String unique = name + blue.client().list(Types.VPCS, ListQuery.ALL).resourceVersion();
    return blue
        .client()
        .patch(
            Types.CERTIFICATES,
            "default",
            "unseen-change",
            Map.of("spec", Map.of("dnsNames", List.of(unique + ".example.org"))))
        .list("metadata", "managedFields")
        .stream()
        .filter(entry -> Trees.at(entry, "fieldsV1", "f:spec") != null)
        .map(entry -> Trees.text(entry, "time"))
        .max(Comparator.naturalOrder())
        .orElseThrow();
  }

  private void startAgent() {
    running.suite().relaunch(Program.SYNC_AGENT);
    running.suite().awaitReady(Program.SYNC_AGENT);
  }

  private void created(KubeObject object) {
    blue.client().create(Types.CERTIFICATES, object);
  }

  private KubeObject published() {
    return service.client().find(Types.PUBLISHED_RESOURCES, "", "certificates").orElseThrow();
  }

  private Making published(String name, Map<String, Object> fields) {
    return new Making(
        () -> {
          patchPublished(fields);
          created(certificate(name, "a.example.org"));
        },
        () -> {
          var removed = new LinkedHashMap<String, Object>();
          fields.keySet().forEach(field -> removed.put(field, null));
          patchPublished(removed);
        });
  }

  /** With another entry. */
  private Making related(String name, Map<String, Object> located) {
    List<Object> before = published().list("spec", "related");
    var related = new ArrayList<Object>(before);
    related.add(
        Map.of("identifier", name, "origin", "service", "kind", "Secret", "object", located));
    return new Making(
        () -> {
          patchPublished(Map.of("related", related));
          created(certificate(name, "a.example.org"));
        },
        () -> patchPublished(Map.of("related", before)));
  }

  private void patchPublished(Map<String, Object> fields) {
    service.client().patch(Types.PUBLISHED_RESOURCES, "", "certificates", Map.of("spec", fields));
    await()
        .untilAsserted(() ->
            assertThat(published().at("status", "observedGeneration"))
                .isEqualTo(published().generation()));
  }

  private static Map<String, Object> mutation(String kind, Map<String, Object> rule) {
    return Map.of("mutation", Map.of("spec", List.of(Map.of(kind, rule))));
  }

  private Making quota() {
    return new Making(
        () -> {
          created(certificate("before-quota", "a.example.org"));
          awaitReady(blue, "before-quota");
          service
              .client()
              .create(
                  QUOTAS,
                  KubeObject.of(QUOTAS, "ResourceQuota", cluster(), "small")
                      .with("1", "spec", "hard", "count/certificates.pki.example.corp"));
          await()
              .until(() ->
                  service
                      .client()
                      .find(QUOTAS, cluster(), "small")
                      .filter(quota -> !quota.map("status", "used").isEmpty())
                      .isPresent());
          created(certificate("quota", "a.example.org"));
        },
        () ->
            service
                .client()
                .delete(QUOTAS, cluster(), "small", new DeleteCondition.Unconditional()));
  }

  private Making policy() {
    return new Making(
        () -> {
          policy(
              service,
              "pki.example.corp",
              "certificates",
              "CREATE",
              "!object.spec.dnsNames.exists(n, n.startsWith('bad'))");
          created(certificate("policy", "bad.example.org"));
        },
        () -> noPolicy(service));
  }

  private static void policy(
      ClusterClient where, String group, String resource, String operation, String expression) {
    where
        .client()
        .create(
            POLICIES,
            KubeObject.of(POLICIES, "ValidatingAdmissionPolicy", "", "fault")
                .with(
                    Map.of(
                        "failurePolicy", "Fail",
                        "matchConstraints",
                            Map.of(
                                "resourceRules",
                                List.of(
                                    Map.of(
                                        "apiGroups", List.of(group),
                                        "apiVersions", List.of("*"),
                                        "operations", List.of(operation),
                                        "resources", List.of(resource)))),
                        "validations",
                            List.of(Map.of("expression", expression, "message", "not here"))),
                    "spec"));
    where
        .client()
        .create(
            POLICY_BINDINGS,
            KubeObject.of(POLICY_BINDINGS, "ValidatingAdmissionPolicyBinding", "", "fault")
                .with(Map.of("policyName", "fault", "validationActions", List.of("Deny")), "spec"));
  }

  private static void noPolicy(ClusterClient where) {
    where.client().delete(POLICY_BINDINGS, "", "fault", new DeleteCondition.Unconditional());
    where.client().delete(POLICIES, "", "fault", new DeleteCondition.Unconditional());
  }

  private Making permission() {
    KubeObject role = service.client().find(CLUSTER_ROLES, "", "sync-agent").orElseThrow();
    List<Object> fewer =
        role.list("rules").stream()
            .<Object>map(each -> {
              Map<String, Object> rule = Trees.thawMap(Trees.mapOrEmpty(each));
              if (Trees.texts(rule.get("apiGroups")).contains("pki.example.corp")) {
                rule.put("verbs", List.of("get", "list", "watch", "patch", "delete"));
              }
              return rule;
            })
            .toList();
    return new Making(
        () -> {
          service.client().patch(CLUSTER_ROLES, "", role.name(), Map.of("rules", fewer));
          created(certificate("forbidden", "a.example.org"));
        },
        () ->
            service
                .client()
                .patch(CLUSTER_ROLES, "", role.name(), Map.of("rules", role.list("rules"))));
  }

  private Making claim() {
    List<Object> accepted =
        blue.client()
            .find(Types.API_BINDINGS, "", EXPORT)
            .orElseThrow()
            .list("spec", "permissionClaims");
    List<Object> rejected =
        accepted.stream()
            .<Object>map(each -> {
              Map<String, Object> claim = Trees.thawMap(Trees.mapOrEmpty(each));
              claim.replace(
                  "state", "secrets".equals(claim.get("resource")) ? "Rejected" : "Accepted");
              return claim;
            })
            .toList();
    return new Making(
        () -> {
          claims(rejected);
          created(certificate("claim", "a.example.org"));
        },
        () -> claims(accepted));
  }

  private void claims(List<Object> claims) {
    blue.client()
        .patch(Types.API_BINDINGS, "", EXPORT, Map.of("spec", Map.of("permissionClaims", claims)));
  }

  private Making heldCopy() {
    return new Making(
        () -> {
          created(certificate("vault", "a.example.org"));
          KubeObject placed = copy(service, awaitReady(blue, "vault")).orElseThrow();
          service
              .client()
              .patch(
                  Types.SERVICE_CERTIFICATES,
                  placed.namespace(),
                  placed.name(),
                  Map.of("metadata", Map.of("finalizers", List.of("example.org/vault"))));
          delete(blue, Types.CERTIFICATES, "vault");
        },
        () -> {
          KubeObject placed =
              copy(service, Objects.find(blue, Types.CERTIFICATES, "vault").orElseThrow())
                  .orElseThrow();
          finalizers(service, Types.SERVICE_CERTIFICATES, placed.namespace(), placed.name());
        });
  }

  private static void finalizers(
      ClusterClient where, ResourceType type, String namespace, String name) {
    where
        .client()
        .patch(type, namespace, name, Map.of("metadata", Map.of("finalizers", List.of())));
  }

  /** With the compute provider's rule as it is changed; the VPC is used by a machine. */
  private Making deletion(String name, String bypass, Consumer<Map<String, Object>> change) {
    KubeObject rule =
        compute.client().find(Types.DEPENDENCY_RULES, "", "virtual-machines").orElseThrow();
    Map<String, Object> spec = Trees.thawMap(rule.map("spec"));
    change.accept(spec);
    return new Making(
        () -> {
          KubeObject target = vpc(name);
          blue.client()
              .create(
                  Types.VPCS,
                  bypass.isEmpty()
                      ? target
                      : target.with(
                          bypass,
                          "metadata",
                          "annotations",
                          "dependencies.opendefense.cloud/skip-protection"));
          blue.client().create(Types.VIRTUAL_MACHINES, machine(name + "-user", name));
          rule(rule, spec);
        },
        () -> {
          rule(rule, rule.map("spec"));
          awaitRead(rule);
          delete(blue, Types.VIRTUAL_MACHINES, name + "-user");
          if (!bypass.isEmpty()) {
            delete(blue, Types.VPCS, name);
          }
        });
  }

  private Making unreadable() {
    Making referenced = deletion("unreadable", "", rule -> {});
    var roles = new LinkedHashMap<ClusterClient, KubeObject>();
    running
        .stage()
        .shards()
        .forEach(shard ->
            roles.put(shard, shard.client().find(CLUSTER_ROLES, "", webhookRole()).orElseThrow()));
    return new Making(
        () -> {
          referenced.cause().run();
          roles.forEach((shard, role) ->
              rules(
                  shard,
                  role.list("rules").stream()
                      .filter(rule ->
                          !Trees.texts(Trees.at(rule, "apiGroups"))
                              .contains(Types.VIRTUAL_MACHINES.group()))
                      .toList()));
        },
        () -> {
          roles.forEach((shard, role) -> rules(shard, role.list("rules")));
          referenced.heal().run();
        });
  }

  private void rules(ClusterClient shard, List<Object> rules) {
    shard.client().patch(CLUSTER_ROLES, "", webhookRole(), Map.of("rules", rules));
  }

  /** As the story names it. */
  private String webhookRole() {
    return "dependency-webhook-" + running.stage().org().name();
  }

  private void rule(KubeObject rule, Map<String, Object> spec) {
    if (!spec.equals(
        compute.client().find(Types.DEPENDENCY_RULES, "", rule.name()).orElseThrow().map("spec"))) {
      compute.client().patch(Types.DEPENDENCY_RULES, "", rule.name(), Map.of("spec", spec));
    }
  }

  private void awaitRead(KubeObject rule) {
    await()
        .ignoreExceptionsInstanceOf(KubeFailure.class)
        .untilAsserted(() -> {
          KubeObject now =
              compute.client().find(Types.DEPENDENCY_RULES, "", rule.name()).orElseThrow();
          assertThat(now.at("status", "observedGeneration")).isEqualTo(now.generation());
        });
  }

  private static Map<String, Object> dependency(Map<String, Object> spec) {
    return Trees.mapOrEmpty(((List<?>) spec.get("dependencies")).getFirst());
  }

  private static Map<String, Object> path(String path) {
    return Map.of("path", path);
  }

  private Making definition() {
    KubeObject crd =
        service.client().find(Types.CRDS, "", "certificates.pki.example.corp").orElseThrow();
    return new Making(
        () -> {
          service.client().delete(Types.CRDS, "", crd.name(), new DeleteCondition.Unconditional());
          await().until(() -> service.client().find(Types.CRDS, "", crd.name()).isEmpty());
          await()
              .untilAsserted(() ->
                  assertThat(published().list("status", "conditions").toString())
                      .contains("ResourceNotFound"));
          created(certificate("undefined", "a.example.org"));
        },
        () ->
            service
                .client()
                .create(
                    Types.CRDS,
                    KubeObject.of(
                        Map.of(
                            "apiVersion",
                            "apiextensions.k8s.io/v1",
                            "kind",
                            "CustomResourceDefinition",
                            "metadata",
                            Map.of("name", crd.name()),
                            "spec",
                            crd.map("spec")))));
  }

  private static Map<String, Object> annotations(String key, Object value) {
    var annotations = new LinkedHashMap<String, Object>();
    annotations.put(key, value);
    return Map.of("annotations", annotations);
  }
}
