package dev.mooring.acceptance.install;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.acceptance.Chart;
import dev.mooring.acceptance.ServiceAccounts;
import dev.mooring.cli.MooringProgram;
import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.demo.Kubectl;
import dev.mooring.cli.demo.Narrator;
import dev.mooring.cli.demo.Story;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Manifests;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.ServiceUsers;
import dev.mooring.harness.Suite;
import dev.mooring.languages.cel.CelExpression;
import dev.mooring.languages.cel.CelValues;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/**
 * The sample of docs/how-to/publish-from-git.md with the agent as a process: kubectl applies the
 * repository as Argo CD and Flux do, on the server's side, by the account of the sample.
 */
@Tag("full")
class GitOpsIT {
  private static final ProjectLayout LAYOUT = ProjectLayout.find();
  private static final Path SAMPLE = LAYOUT.root().resolve("docs/how-to/example/gitops");
  private static final String EXPORT = "certificates.example.corp";
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir Path directory;

  private Path repository;
  private DemoEnvironment environment;
  private Suite suite;
  private ClusterClient provider;
  private ClusterClient service;
  private Story story;
  private Kubectl kubectl;

  @Test
  void syncsByWhatGitHasAndReportsDriftUntilItIsRenderedAgain() throws IOException {
    Shell.require("kubectl");
    repository = directory.resolve("repository");
    copy(SAMPLE, repository);
    try (var running =
        new Suite(
            LAYOUT,
            LAYOUT.root().resolve("acceptance-tests/target/gitops"),
            PortPlan.free(),
            KcpChoice.fromEnvironment())) {
      suite = running;
      assumeTrue(
          suite
              .userInKcp(Program.SYNC_AGENT)
              .equals(Optional.of(ServiceUsers.manifestName(Program.SYNC_AGENT))),
          "skipped: KCP_CLIENT_CA does not name the CA of this kcp's clients");
      suite.launchClusters();
      String org = "gitops-" + Long.toString(Instant.now().toEpochMilli(), 36);
      try (var made =
          new DemoEnvironment(
              suite,
              WorkspacePath.ROOT.child(org),
              suite.awaitKcp(),
              suite.awaitServiceCluster())) {
        environment = made;
        try {
          followsGit();
        } finally {
          environment
              .parent()
              .client()
              .delete(Types.WORKSPACES, "", org, new DeleteCondition.Unconditional());
        }
      }
    }
  }

  private void followsGit() throws IOException {
    prepareClusters();
    Path gitops = toolsKubeconfig();

    applyAsTools(gitops);
    startAgent();
    story.bind(environment.child("team"), provider, EXPORT);

    awaitCondition("SchemaUpToDate", "True");
    awaitCondition("Exported", "True");
    assertThat(fluxSays("current")).isTrue();
    assertThat(fluxSays("failed")).isFalse();
    awaitCopy(certificate("first"));
    assertThatTheAgentMayWriteNeither();
    assertThatTheToolsMayDeleteNeither(gitops);

    changeTheCrd();
    applyAsTools(gitops);
    awaitCondition("SchemaUpToDate", "False");
    assertThat(message("SchemaUpToDate"))
        .contains("v1: spec.renewBefore: only on the service cluster", "mooring render");
    assertThat(fluxSays("failed")).isTrue();
    awaitCopy(certificate("second"));

    List<Path> rendered = render("schemas,export", repository.resolve("kcp"));
    assertThat(rendered).hasSize(2);
    applyAsTools(gitops);
    awaitCondition("SchemaUpToDate", "True");
    assertThat(fluxSays("current")).isTrue();
    awaitCopy(certificate("third").with("24h", "spec", "renewBefore"));
    assertThat(refusals()).isEmpty();
  }

  /** What administrators do once. */
  private void prepareClusters() throws IOException {
    var narrator =
        new Narrator(
            new PrintStream(directory.resolve("story.log").toFile(), StandardCharsets.UTF_8),
            Narrator.Look.PLAIN);
    story = Story.of(environment, narrator, PATIENCE);
    kubectl = story.kubectl();
    service = environment.serviceCluster();
    workspace(environment.parent(), environment.org().name());
    workspace(environment.orgPlace(), "certificates");
    workspace(environment.orgPlace(), "team");
    provider = environment.certificates();
    kubectl(provider.kubeconfig(), "apply", "-f", SAMPLE.resolve("rbac-kcp.yaml").toString());
    kubectl.create(
        provider,
        "agent-rbac.yaml",
        Chart.render("kcpManifests: {place: agent-workspace}", values()));
    kubectl.create(
        service,
        "crd.yaml",
        Manifests.ofFile(
            LAYOUT.file(
                "charts/mooring/service-cluster/publishedresources.syncagent.kcp.io.yaml")));
    kubectl.create(
        service,
        "rbac.yaml",
        Manifests.ofFile(LAYOUT.file("charts/mooring/service-cluster/rbac-agent.yaml")));
  }

  private void workspace(ClusterClient parent, String name) {
    kubectl.create(
        parent, name + ".yaml", List.of(KubeObject.of(Types.WORKSPACES, "Workspace", "", name)));
    kubectl.await(
        parent.ref(Types.WORKSPACES, name),
        "is ready",
        found -> found.text("status", "phase").equals("Ready"),
        _ -> "Ready");
  }

  private void startAgent() {
    suite.launchSyncAgent(environment.org().child(provider.name()), EXPORT);
    suite.awaitReady(Program.SYNC_AGENT);
  }

  /** By the token of the account that the sample makes. */
  private Path toolsKubeconfig() {
    return Kubeconfig.read(provider.kubeconfig())
        .withUser(Map.of("token", ServiceAccounts.tokenIn(provider, "default", "gitops-token")))
        .write(directory.resolve("gitops.kubeconfig"));
  }

  private void applyAsTools(Path gitops) {
    apply(repository.resolve("kcp"), gitops);
    apply(repository.resolve("service-cluster"), service.kubeconfig());
  }

  private void apply(Path manifests, Path kubeconfig) {
    await()
        .untilAsserted(
            // A workspace serves a new role's rights a moment later.
            () -> kubectl(kubeconfig, "apply", "--server-side", "-f", manifests.toString()));
  }

  private void kubectl(Path kubeconfig, String... arguments) {
    var command = new ArrayList<>(List.of("kubectl", "--kubeconfig=" + kubeconfig));
    command.addAll(List.of(arguments));
    Shell.Result result =
        Shell.run(command, Map.of("HOME", directory.toString()), directory, PATIENCE);
    assertThat(result.status()).as("%s: %s", command, result.output()).isZero();
  }

  private void assertThatTheAgentMayWriteNeither() {
    Path kubeconfig = suite.directory().resolve("sync-agent-kcp.kubeconfig");
    try (var connection =
        KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("acceptance"))) {
      KubeClient agent = connection.client();
      KubeObject export = agent.find(Types.API_EXPORTS, "", EXPORT).orElseThrow();
      KubeObject schema = agent.list(Types.API_RESOURCE_SCHEMAS, ListQuery.ALL).items().getFirst();
      assertForbidden(
          () -> agent.patch(Types.API_EXPORTS, "", EXPORT, Map.of("metadata", Map.of())));
      assertForbidden(() -> agent.create(Types.API_EXPORTS, export));
      assertForbidden(() -> agent.create(Types.API_RESOURCE_SCHEMAS, schema));
      assertForbidden(() ->
          agent.patch(Types.API_RESOURCE_SCHEMAS, "", schema.name(), Map.of("metadata", Map.of())));
    }
  }

  private static void assertThatTheToolsMayDeleteNeither(Path gitops) {
    try (var connection =
        KubeConnection.fromKubeconfig(gitops, ConnectionOptions.of("acceptance"))) {
      KubeClient tools = connection.client();
      for (ResourceType type : List.of(Types.API_EXPORTS, Types.API_RESOURCE_SCHEMAS)) {
        String name = tools.list(type, ListQuery.ALL).items().getFirst().name();
        assertForbidden(() -> tools.delete(type, "", name, new DeleteCondition.Unconditional()));
      }
    }
  }

  private static void assertForbidden(Runnable request) {
    assertThatExceptionOfType(KubeFailure.class)
        .isThrownBy(request::run)
        .matches(failure -> failure.kind() == KubeFailure.Kind.FORBIDDEN);
  }

  /** Of the agent's user, other than by this test itself. */
  private List<String> refusals() {
    if (!(suite.choice() instanceof KcpChoice.Sandbox)) {
      return List.of();
    }
    String agent = "User \"" + suite.userInKcp(Program.SYNC_AGENT).orElseThrow() + "\"";
    return Stream.of("kcp", "service cluster")
        .flatMap(server -> suite.serverLog(server).stream())
        .filter(line -> line.contains("Access denied") && line.contains(agent))
        .filter(line ->
            !line.matches(".*cannot (create|patch) resource \"api(exports|resourceschemas)\".*"))
        .toList();
  }

  private void changeTheCrd() throws IOException {
    Path crd = repository.resolve("service-cluster/crd.yaml");
    String before = Files.readString(crd);
    String field = "              secretName: {type: string}\n";
    assertThat(before).contains(field);
    Files.writeString(
        crd, before.replace(field, field + "              renewBefore: {type: string}\n"));
  }

  /** As the sample's page does; the files that were written. */
  private List<Path> render(String parts, Path into) {
    return mooring(
            "render",
            repository.resolve("service-cluster").toString(),
            repository.resolve("kcp").toString(),
            "--export=" + EXPORT,
            "--only=" + parts,
            "--output-directory=" + into)
        .lines()
        .map(Path::of)
        .toList();
  }

  private String values() throws IOException {
    return Files.readString(render("values", directory.resolve("values")).getFirst());
  }

  private static String mooring(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    CommandLine program = MooringProgram.commandLine();
    program.setOut(new PrintWriter(out)).setErr(new PrintWriter(err));
    assertThat(program.execute(arguments)).as(err.toString()).isZero();
    return out.toString();
  }

  private static KubeObject certificate(String name) {
    return Manifests.ofFile(LAYOUT.file("docs/how-to/example/certificate.yaml"))
        .getFirst()
        .with(name, "metadata", "name");
  }

  private void awaitCopy(KubeObject certificate) {
    KubeObject source = environment.child("team").client().create(Types.CERTIFICATES, certificate);
    await("the copy of " + source.name())
        .untilAsserted(() ->
            assertThat(service.client().list(Types.SERVICE_CERTIFICATES, ListQuery.ALL).items())
                .filteredOn(copy ->
                    copy.annotation("syncagent.kcp.io/remote-object-name")
                        .equals(Optional.of(source.name())))
                .singleElement()
                .extracting(copy -> copy.at("spec"))
                .isEqualTo(source.at("spec")));
  }

  private void awaitCondition(String type, String status) {
    await(type + " is " + status)
        .untilAsserted(() -> {
          suite.requireAllAlive();
          assertThat(published().list("status", "conditions"))
              .anyMatch(condition ->
                  type.equals(Trees.at(condition, "type"))
                      && status.equals(Trees.at(condition, "status")));
        });
  }

  private String message(String type) {
    return published().list("status", "conditions").stream()
        .filter(condition -> type.equals(Trees.at(condition, "type")))
        .map(condition -> Trees.textOrEmpty(Trees.at(condition, "message")))
        .findFirst()
        .orElseThrow();
  }

  private KubeObject published() {
    return service.client().find(Types.PUBLISHED_RESOURCES, "", "certificates").orElseThrow();
  }

  /** What Flux evaluates for the PublishedResource as it is now. */
  private boolean fluxSays(String expression) {
    Object check =
        Manifests.ofFile(SAMPLE.resolve("flux.yaml")).stream()
            .flatMap(object -> object.list("spec", "healthCheckExprs").stream())
            .findFirst()
            .orElseThrow();
    return CelExpression.compile(Trees.textOrEmpty(Trees.at(check, expression)), Set.of("status"))
        .evaluate(Map.of("status", CelValues.of(published().map("status"))))
        .equals(true);
  }

  private static void copy(Path from, Path to) throws IOException {
    try (Stream<Path> files = Files.walk(from)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(from.relativize(file).toString()));
      }
    }
  }
}
