package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.copy;
import static dev.mooring.acceptance.Objects.delete;
import static dev.mooring.acceptance.Objects.find;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code mooring why} names the cause of troubles that are made on the running services, as the
 * table in docs/how-to/find-causes.md says. Runs after {@link LeastPrivilegeIT}, since one of the
 * troubles is a consumer who accepts no claim: what the agent is refused there is meant to be.
 */
@ExtendWith(Mooring.class)
@Order(Integer.MAX_VALUE)
@Tag("full")
class WhyIT {
  private static final String PUBLISHED = "certificates";
  private static final String CERTIFICATE_EXPORT = "certificates.example.corp";

  private Suite suite;
  private ClusterClient blue;
  private ClusterClient green;
  private ClusterClient compute;
  private ClusterClient service;

  @TempDir private Path directory;

  @BeforeEach
  void take(Mooring.Running running) {
    suite = running.suite();
    blue = running.stage().blue();
    green = running.stage().green();
    compute = running.stage().compute();
    service = running.stage().serviceCluster();
  }

  @Test
  void showsWhereTheCopyOfASyncedObjectIs() {
    blue.client().create(Types.CERTIFICATES, certificate("why-synced", "a.example.org"));
    KubeObject source = awaitReady(blue, "why-synced");
    KubeObject placed = copy(service, source).orElseThrow();

    await()
        .untilAsserted(() -> {
          KubeObject answer =
              Why.ask(
                  blue.kubeconfig(), "certificate", "why-synced", onServiceCluster(), agentUrl());
          assertThat(answer.text("state")).isEqualTo("synced");
          assertThat(answer.at("cause")).isNull();
          assertThat(Trees.texts(answer.at("copy")).getFirst())
              .contains(placed.namespace() + "/" + placed.name());
          assertThat(Trees.texts(answer.at("related")))
              .containsExactly("Secret default/why-synced-tls exists");
        });
  }

  @Test
  void namesATypeThatIsNotBound() {
    answers("no APIBinding of the workspace serves the type", "TypeNotBound", blue, "gadget", "a");
  }

  @Test
  void namesABindingThatIsNotBound() {
    // The type is bound already, so kcp does not bind it a second time.
    KubeObject bound =
        green.client().find(Types.API_BINDINGS, "", CERTIFICATE_EXPORT).orElseThrow();
    green
        .client()
        .create(
            Types.API_BINDINGS,
            KubeObject.of(Types.API_BINDINGS, "APIBinding", "", "twice")
                .with(bound.map("spec"), "spec"));
    try {
      answers("the APIBinding is not bound", "BindingNotBound", green, "gadget", "a");
    } finally {
      green.client().delete(Types.API_BINDINGS, "", "twice", new DeleteCondition.Unconditional());
    }
  }

  @Test
  void namesAPublishedResourceThatIsRejected() {
    KubeObject valid = published();
    service
        .client()
        .create(
            Types.PUBLISHED_RESOURCES,
            KubeObject.of(
                Map.of(
                    "apiVersion", Types.PUBLISHED_RESOURCES.apiVersion(),
                    "kind", "PublishedResource",
                    "metadata", Map.of("name", "gadgets"),
                    "spec",
                        Map.of(
                            "resource", valid.map("spec", "resource"),
                            "projection", Map.of("kind", "Gadget", "plural", "gadgets"),
                            "naming", Map.of("name", "{{ lowr }}")))));
    try {
      answers(
          "the PublishedResource has a mistake",
          "InvalidTemplate",
          blue,
          "gadget",
          "a",
          onServiceCluster());
    } finally {
      service
          .client()
          .delete(Types.PUBLISHED_RESOURCES, "", "gadgets", new DeleteCondition.Unconditional());
    }
  }

  @Test
  void namesAClaimThatIsNotAccepted() {
    KubeObject binding =
        green.client().find(Types.API_BINDINGS, "", CERTIFICATE_EXPORT).orElseThrow();
    List<Object> accepted = binding.list("spec", "permissionClaims");
    var rejected = new ArrayList<Object>();
    for (Object claim : accepted) {
      Map<String, Object> answer = Trees.thawMap(Trees.mapOrEmpty(claim));
      answer.put("state", "Rejected");
      rejected.add(answer);
    }
    green.client().create(Types.CERTIFICATES, certificate("why-claim", "a.example.org"));
    patchBinding(rejected);
    try {
      answers(
          "the APIBinding does not accept a claim",
          "ClaimRejected",
          green,
          "certificate",
          "why-claim");
    } finally {
      patchBinding(accepted);
    }
  }

  private void patchBinding(List<Object> claims) {
    green
        .client()
        .patch(
            Types.API_BINDINGS,
            "",
            CERTIFICATE_EXPORT,
            Map.of("spec", Map.of("permissionClaims", claims)));
  }

  @Test
  void namesAPausedObject() {
    blue.client()
        .create(
            Types.CERTIFICATES,
            certificate("why-paused", "a.example.org")
                .with("true", "metadata", "annotations", "syncagent.kcp.io/paused"));

    answers("syncing is paused for the object", "Paused", blue, "certificate", "why-paused");
  }

  @Test
  void namesAPausedAgent() {
    withPublished(
        Map.of("synchronization", Map.of("enabled", true, "paused", true)),
        () ->
            answers(
                "the PublishedResource pauses syncing",
                "Paused",
                blue,
                "certificate",
                created("why-type-paused"),
                onServiceCluster()));
  }

  @Test
  void namesTheFilterThatExcludesAnObject() {
    withPublished(
        Map.of("filter", Map.of("resource", Map.of("matchLabels", Map.of("tier", "gold")))),
        () ->
            answers(
                "the filter does not select the object",
                "OutOfFilter",
                blue,
                "certificate",
                created("why-filtered"),
                onServiceCluster()));
  }

  @Test
  void namesANameThatIsTooLong() {
    withPublished(
        Map.of("naming", Map.of("name", "{{ .Object.metadata.name }}-" + "x".repeat(250))),
        () -> answersForNew("the copy's name is too long", "NamingFailed", "why-long"));
  }

  @Test
  void namesWhatTheServiceClusterRefuses() {
    withPublished(
        Map.of(
            "mutation", Map.of("spec", List.of(Map.of("delete", Map.of("path", "spec.dnsNames"))))),
        () -> {
          KubeObject answer =
              answersForNew(
                  "the service cluster refuses the copy", "MutationRefused", "why-refused");
          assertThat(answer.text("state")).isEqualTo("refused");
          assertThat(Trees.texts(answer.at("cause", "evidence")).getFirst())
              .contains("spec.dnsNames");
        });
  }

  @Test
  void namesTheFinalizerThatHoldsTheCopy() {
    blue.client().create(Types.CERTIFICATES, certificate("why-held", "a.example.org"));
    KubeObject source = awaitReady(blue, "why-held");
    KubeObject placed = copy(service, source).orElseThrow();
    finalizers(placed, List.of("example.org/vault"));
    delete(blue, Types.CERTIFICATES, "why-held");
    try {
      KubeObject answer =
          answers(
              "a finalizer holds the copy of a deleted object",
              "CopyTerminating",
              blue,
              "certificate",
              "why-held",
              onServiceCluster());
      assertThat(answer.text("cause", "fix")).contains("example.org/vault");
    } finally {
      finalizers(placed, List.of());
    }
    Objects.awaitGone(blue, Types.CERTIFICATES, "why-held");
  }

  private void finalizers(KubeObject placed, List<String> finalizers) {
    service
        .client()
        .patch(
            Types.SERVICE_CERTIFICATES,
            placed.namespace(),
            placed.name(),
            Map.of("metadata", Map.of("finalizers", finalizers)));
  }

  @Test
  void namesARelatedObjectThatTheConsumerHasNotCreated() {
    List<Object> before = published().list("spec", "related");
    var related = new ArrayList<Object>(before);
    related.add(
        Map.of(
            "identifier", "authority",
            "origin", "kcp",
            "kind", "Secret",
            "object", Map.of("reference", Map.of("path", "spec.dnsNames.0"))));
    patchRelated(related);
    try {
      blue.client()
          .create(Types.CERTIFICATES, certificate("why-related", "why-related.example.org"));

      KubeObject answer =
          answers(
              "a related object of the consumer is missing",
              "RelatedMissing",
              blue,
              "certificate",
              "why-related",
              onServiceCluster(),
              agentUrl());

      assertThat(Trees.texts(answer.at("cause", "evidence")).toString())
          .contains("Secret default/why-related.example.org of entry authority (origin kcp)");
      assertThat(answer.text("cause", "fix")).isEqualTo("create it in this workspace");
    } finally {
      patchRelated(before);
    }
  }

  private void patchRelated(List<Object> related) {
    service
        .client()
        .patch(
            Types.PUBLISHED_RESOURCES, "", PUBLISHED, Map.of("spec", Map.of("related", related)));
    awaitObserved();
  }

  /** The operator on the service cluster issues once, and not again. */
  @Test
  void namesARelatedObjectThatTheServiceClusterLacks() {
    blue.client().create(Types.CERTIFICATES, certificate("why-unissued", "a.example.org"));
    KubeObject placed = copy(service, awaitReady(blue, "why-unissued")).orElseThrow();
    Objects.awaitSecret(blue, "why-unissued-tls");
    service
        .client()
        .delete(
            Types.SECRETS,
            placed.namespace(),
            placed.text("spec", "secretName"),
            new DeleteCondition.Unconditional());

    KubeObject answer =
        answers(
            "a related object of the service cluster is missing",
            "RelatedMissing",
            blue,
            "certificate",
            "why-unissued",
            onServiceCluster(),
            agentUrl());

    assertThat(Trees.texts(answer.at("cause", "evidence")).toString())
        .contains("Secret default/why-unissued-tls of entry tls (origin service)");
  }

  @Test
  void namesAnAgentThatIsStopped() {
    String name = created("why-stopped");
    suite.service(Program.SYNC_AGENT).kill();
    try {
      answers("the sync agent does not run", "AgentStopped", blue, "certificate", name, agentUrl());
    } finally {
      suite.relaunch(Program.SYNC_AGENT);
      suite.awaitReady(Program.SYNC_AGENT);
    }
  }

  @Test
  void namesAServiceClusterThatDoesNotAnswer() {
    String name = created("why-unreachable");
    String option = "--mooring.sync-agent.kubeconfig";
    String before = suite.argument(Program.SYNC_AGENT, option);
    Path gone =
        Kubeconfig.read(Path.of(before))
            .at(URI.create("https://127.0.0.1:1"))
            .write(directory.resolve("gone.kubeconfig"));
    suite.service(Program.SYNC_AGENT).kill();
    suite.relaunch(Program.SYNC_AGENT, Map.of(option, gone.toString()));
    try {
      answers(
          "the agent cannot reach the service cluster",
          "ServiceClusterUnavailable",
          blue,
          "certificate",
          name,
          agentUrl());
    } finally {
      suite.service(Program.SYNC_AGENT).kill();
      suite.relaunch(Program.SYNC_AGENT, Map.of(option, before));
      suite.awaitReady(Program.SYNC_AGENT);
    }
  }

  @Test
  void namesDependentsRuleAndBypassOfARefusedDeletion() {
    blue.client().create(Types.VPCS, vpc("why-used"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("why-user", "why-used"));

    KubeObject answer =
        answers("a deletion is refused", "Referenced", blue, "vpc", "why-used", "--deletion");

    assertThat(Trees.texts(answer.at("cause", "evidence")).toString())
        .contains("VirtualMachine/why-user")
        .contains("DependencyRule virtual-machines in")
        .contains(".spec.vpcRef.name");
    assertThat(answer.text("cause", "fix"))
        .contains("kubectl annotate vpcs.network.example.corp why-used -n default");
    assertThat(find(blue, Types.VPCS, "why-used").orElseThrow().deleting()).isFalse();
  }

  @Test
  void namesABypass() {
    blue.client()
        .create(
            Types.VPCS,
            vpc("why-bypassed")
                .with(
                    "true",
                    "metadata",
                    "annotations",
                    "dependencies.opendefense.cloud/skip-protection"));
    blue.client().create(Types.VIRTUAL_MACHINES, machine("why-bypassed-user", "why-bypassed"));

    answers(
        "a deletion is allowed by a bypass", "Bypassed", blue, "vpc", "why-bypassed", "--deletion");
  }

  @Test
  void namesAWebhookThatDoesNotAnswer() {
    blue.client().create(Types.VPCS, vpc("why-unanswered"));
    suite.service(Program.DEPENDENCY_WEBHOOK).kill();
    try {
      answers(
          "the dependency webhook does not run",
          "WebhookUnavailable",
          blue,
          "vpc",
          "why-unanswered",
          "--deletion");
    } finally {
      suite.relaunch(Program.DEPENDENCY_WEBHOOK);
      suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
    }
  }

  @Test
  void namesARuleWithAMistake() {
    blue.client().create(Types.VPCS, vpc("why-unprotected"));
    KubeObject valid =
        compute.client().find(Types.DEPENDENCY_RULES, "", "virtual-machines").orElseThrow();
    Map<String, Object> dependency =
        Trees.thawMap(Trees.mapOrEmpty(valid.list("spec", "dependencies").getFirst()));
    dependency.put("resource", "vpc");
    compute
        .client()
        .create(
            Types.DEPENDENCY_RULES,
            KubeObject.of(
                Map.of(
                    "apiVersion", valid.apiVersion(),
                    "kind", "DependencyRule",
                    "metadata", Map.of("name", "why-typo"),
                    "spec",
                        Map.of(
                            "dependent",
                            valid.map("spec", "dependent"),
                            "dependencies",
                            List.of(dependency)))));
    try {
      KubeObject answer =
          answers(
              "a rule has a mistake, so a deletion is allowed",
              "RuleNotInForce",
              blue,
              "vpc",
              "why-unprotected",
              "--deletion");
      assertThat(answer.text("cause", "message")).contains("why-typo");
    } finally {
      compute
          .client()
          .delete(Types.DEPENDENCY_RULES, "", "why-typo", new DeleteCondition.Unconditional());
    }
  }

  @Test
  void saysInOneLineThatThereIsNoSuchObject() {
    MooringRun run = Why.run(blue.kubeconfig(), "vpc", "absent");

    assertThat(run.status()).isEqualTo(2);
    assertThat(run.err()).contains("there is no vpc absent in workspace root:").hasLineCount(1);
  }

  private KubeObject published() {
    return service.client().find(Types.PUBLISHED_RESOURCES, "", PUBLISHED).orElseThrow();
  }

  private String created(String name) {
    blue.client().create(Types.CERTIFICATES, certificate(name, "a.example.org"));
    return name;
  }

  /** With other fields in the PublishedResource, once the agent has read them. */
  private void withPublished(Map<String, Object> fields, Runnable test) {
    service.client().patch(Types.PUBLISHED_RESOURCES, "", PUBLISHED, Map.of("spec", fields));
    try {
      awaitObserved();
      test.run();
    } finally {
      var removed = new HashMap<String, Object>();
      fields.keySet().forEach(field -> removed.put(field, null));
      service.client().patch(Types.PUBLISHED_RESOURCES, "", PUBLISHED, Map.of("spec", removed));
      awaitObserved();
    }
  }

  private void awaitObserved() {
    await()
        .untilAsserted(() -> {
          KubeObject published = published();
          assertThat(published.at("status", "observedGeneration"))
              .isEqualTo(published.generation());
        });
  }

  private String onServiceCluster() {
    return "--service-kubeconfig=" + service.kubeconfig();
  }

  private String agentUrl() {
    return "--agent-url=http://127.0.0.1:" + suite.ports().agent();
  }

  private static KubeObject answers(
      String trouble,
      String reason,
      ClusterClient where,
      String type,
      String name,
      String... more) {
    return Why.answers(trouble, reason, where.kubeconfig(), type, name, more);
  }

  /** With another object each time: one that was synced before the agent changed stays synced. */
  private KubeObject answersForNew(String trouble, String reason, String prefix) {
    Why.assertDocumented(trouble, reason);
    var count = new AtomicInteger();
    var answer = new AtomicReference<KubeObject>();
    await()
        .ignoreExceptionsInstanceOf(ConditionTimeoutException.class)
        .untilAsserted(() -> {
          String name = created(prefix + "-" + count.incrementAndGet());
          await()
              .atMost(Duration.ofSeconds(5))
              .untilAsserted(() -> {
                answer.set(Why.ask(blue.kubeconfig(), "certificate", name));
                assertThat(answer.get().text("cause", "reason")).isEqualTo(reason);
              });
        });
    return answer.get();
  }
}
