package dev.mooring.acceptance;

import static dev.mooring.acceptance.Objects.awaitReady;
import static dev.mooring.acceptance.Objects.certificate;
import static dev.mooring.acceptance.Objects.machine;
import static dev.mooring.acceptance.Objects.refusal;
import static dev.mooring.acceptance.Objects.vpc;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.SoftAssertions.assertSoftly;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.atlassian.oai.validator.OpenApiInteractionValidator;
import com.atlassian.oai.validator.model.Request;
import com.atlassian.oai.validator.model.SimpleResponse;
import dev.mooring.acceptance.ManagementCall.Caller;
import dev.mooring.acceptance.install.Shell;
import dev.mooring.cli.demo.ClusterClient;
import dev.mooring.cli.demo.DemoEnvironment;
import dev.mooring.cli.live.Types;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.Program;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.harness.ServiceProcess;
import dev.mooring.harness.Suite;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.PathItem.HttpMethod;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.ParseOptions;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * docs/reference/openapi describes what the management endpoints of the running services answer: of
 * those of the suite, which ask for no token, and of a second replica of each, which does. Runs
 * after {@link LeastPrivilegeIT}: it asks for a workspace that does not exist, which kcp refuses to
 * read.
 */
@ExtendWith(Mooring.class)
@Order(Integer.MAX_VALUE)
class OpenApiIT {
  private static final ProjectLayout LAYOUT = ProjectLayout.find();
  private static final Path PAGE = LAYOUT.root().resolve("docs/reference/endpoints.md");
  private static final Path DESCRIPTIONS = LAYOUT.root().resolve("docs/reference/openapi");

  /** Three JVMs start side by side, perhaps on two cores that others use as well. */
  private static final Duration START = Duration.ofSeconds(240);

  private static final Duration CLIENT_MAX = Duration.ofSeconds(30);
  private static final Pattern PARAMETER = Pattern.compile("\\{[^}]*}");
  private static final Pattern COMMANDS = Pattern.compile("(?s)```sh\n(TOKEN=.*?)```");
  private static final String OPERATOR = "openapi-operator";
  private static final String OBJECT = "openapi";

  /** Not among the actuator's links. */
  private static final Set<String> UNLISTED = Set.of("/actuator", "/healthz", "/readyz");

  private static final List<ServiceProcess> REPLICAS = new ArrayList<>();
  private static final Map<Program, ManagementServer> OPEN = new EnumMap<>(Program.class);
  private static final Map<Program, ManagementServer> GUARDED = new EnumMap<>(Program.class);

  private static String consumer;
  private static String provider;

  @BeforeAll
  static void startReplicas(Mooring.Running running) {
    PortPlan ports = running.suite().ports();
    OPEN.put(Program.SYNC_AGENT, ManagementServer.at(ports.agent()));
    OPEN.put(Program.DEPENDENCY_CONTROLLER, ManagementServer.at(ports.controller()));
    OPEN.put(Program.DEPENDENCY_WEBHOOK, ManagementServer.at(ports.webhook()));
    startGuarded(running.suite(), running.stage());
    createObjects(running.stage());
    GUARDED.forEach((program, server) ->
        await("the replica of " + program.module() + " is ready")
            .atMost(START)
            .untilAsserted(() -> {
              REPLICAS.forEach(ServiceProcess::requireAlive);
              assertThat(status(server, ManagementCall.get("/actuator/health/readiness")))
                  .isEqualTo(200);
              assertThat(status(server, ManagementCall.get("/actuator/status").by(Caller.OPERATOR)))
                  .isEqualTo(200);
            }));
  }

  private static void startGuarded(Suite suite, DemoEnvironment stage) {
    PortPlan ports = PortPlan.free();
    // Another agent than the suite's, with no PublishedResource.
    replica(
        suite,
        Program.SYNC_AGENT,
        Map.of(
            "--server.port", "" + ports.agent(),
            "--mooring.sync-agent.agent-name", "openapi",
            "--mooring.sync-agent.published-resource-selector", "openapi=yes",
            "--mooring.sync-agent.endpoint-auth", "true"));
    replica(
        suite,
        Program.DEPENDENCY_CONTROLLER,
        Map.of(
            "--server.port",
            "" + ports.controller(),
            "--mooring.dependency-controller.endpoint-auth",
            "true"));
    replica(
        suite,
        Program.DEPENDENCY_WEBHOOK,
        Map.of(
            "--server.port", "" + ports.admission(),
            "--management.server.port", "" + ports.webhook(),
            "--mooring.dependency-webhook.endpoint-auth", "true"));
    GUARDED.put(Program.SYNC_AGENT, guarded(ports.agent(), stage.serviceCluster()));
    GUARDED.put(Program.DEPENDENCY_CONTROLLER, guarded(ports.controller(), stage.dependencies()));
    GUARDED.put(Program.DEPENDENCY_WEBHOOK, guarded(ports.webhook(), stage.dependencies()));
  }

  private static void replica(Suite suite, Program program, Map<String, String> changes) {
    REPLICAS.add(suite.launchReplica(program, "openapi-" + program.label(), changes));
  }

  /** The callers are ServiceAccounts of the cluster that the service asks. */
  private static ManagementServer guarded(int port, ClusterClient cluster) {
    ServiceAccounts.makeOperator(cluster, OPERATOR);
    return ManagementServer.at(port)
        .withTokens(
            ServiceAccounts.token(cluster, "default", OPERATOR),
            ServiceAccounts.token(cluster, "default", "openapi-stranger"));
  }

  private static void createObjects(DemoEnvironment stage) {
    ClusterClient blue = stage.blue();
    KubeObject certificate =
        blue.client().create(Types.CERTIFICATES, certificate(OBJECT, "a.example.org"));
    consumer = certificate.logicalCluster().orElseThrow().name();
    blue.client().create(Types.VPCS, vpc(OBJECT));
    blue.client().create(Types.VIRTUAL_MACHINES, machine(OBJECT, OBJECT));
    awaitReady(blue, OBJECT);
    refusal(blue, Types.VPCS, OBJECT);
    provider =
        stage
            .orgPlace()
            .client()
            .find(Types.WORKSPACES, "", "network")
            .orElseThrow()
            .text("spec", "cluster");
  }

  @AfterAll
  static void stopReplicas() {
    REPLICAS.forEach(ServiceProcess::close);
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SANDBOX")
  void describesEveryEndpointAndMethodThatIsServed(Program service) {
    ManagementServer server = GUARDED.get(service);
    OpenAPI description = description(service);
    Set<String> described = new TreeSet<>(description.getPaths().keySet());

    Map<String, Object> links =
        Trees.mapOrEmpty(
            Trees.at(KubeJson.read(server.send(ManagementCall.get("/actuator")).body()), "_links"));
    Set<String> served =
        links.values().stream()
            .map(link -> Trees.textOrEmpty(Trees.at(link, "href")))
            .map(link -> link.substring(server.url().toString().length()))
            .collect(Collectors.toCollection(TreeSet::new));

    described.removeAll(UNLISTED);
    served.removeAll(UNLISTED);
    assertThat(unnamed(described)).isEqualTo(unnamed(served));
    description
        .getPaths()
        .forEach((template, item) ->
            assertThat(methods(server, PARAMETER.matcher(template).replaceAll("x")))
                .as(template)
                .isEqualTo(
                    item.readOperationsMap().keySet().stream()
                        .map(HttpMethod::name)
                        .collect(Collectors.toSet())));
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "SANDBOX")
  void answersAsDescribed(Program service) {
    OpenApiInteractionValidator validator =
        OpenApiInteractionValidator.createForSpecificationUrl(file(service)).build();
    var calls =
        new OpenApiCalls(
            service, service == Program.SYNC_AGENT ? "certificates" : provider, consumer, OBJECT);
    var answered = new TreeSet<String>();
    // The service would have to fail for the others.
    Set<String> described = answers(service);
    described.removeIf(answer -> answer.endsWith(" 503"));

    assertSoftly(softly -> {
      calls
          .guarded()
          .forEach(call -> answered.add(answer(softly, validator, GUARDED.get(service), call)));
      calls
          .open()
          .forEach(call -> answered.add(answer(softly, validator, OPEN.get(service), call)));
      softly.assertThat(answered).isEqualTo(described);
    });
  }

  /** Operation and status, for an answer that has to be as described. */
  private static String answer(
      SoftAssertions softly,
      OpenApiInteractionValidator validator,
      ManagementServer server,
      ManagementCall call) {
    HttpResponse<String> answer = server.send(call);
    softly
        .assertThat(
            validator
                .validateResponse(
                    URI.create(call.path()).getPath(),
                    Request.Method.valueOf(call.method()),
                    response(answer))
                .getMessages())
        .as("%s: %d %s", call, answer.statusCode(), answer.body())
        .isEmpty();
    return "%s %s %d".formatted(call.method(), call.template(), answer.statusCode());
  }

  @Test
  void theSampleClientSaysWhyObjectsAreNotSynced(Mooring.Running running) {
    KubeClient service = running.stage().serviceCluster().client();
    ManagementServer agent = GUARDED.get(Program.SYNC_AGENT);
    Map<String, String> token = Map.of("TOKEN", agent.operator());

    Shell.Result anonymous = client(agent, Map.of());
    assertThat(anonymous.output())
        .isEqualTo(
            "GET /actuator/status: 401: send a bearer token of the cluster: Authorization: Bearer"
                + " <token>\n");
    assertThat(anonymous.status()).isEqualTo(1);
    assertThat(client(agent, token)).isEqualTo(new Shell.Result(0, "everything is synced\n"));

    service.create(Types.PUBLISHED_RESOURCES, ofNoType());
    try {
      await()
          .untilAsserted(() -> {
            Shell.Result found = client(agent, token);
            assertThat(found.output()).startsWith("openapi-no-type: Accepted: ");
            assertThat(found.status()).isEqualTo(1);
          });
    } finally {
      service.delete(
          Types.PUBLISHED_RESOURCES, "", "openapi-no-type", new DeleteCondition.Unconditional());
    }
  }

  /** With the label that the agent which asks for tokens selects. */
  private static KubeObject ofNoType() {
    return KubeObject.of(
        Map.of(
            "apiVersion", Types.PUBLISHED_RESOURCES.apiVersion(),
            "kind", "PublishedResource",
            "metadata", Map.of("name", "openapi-no-type", "labels", Map.of("openapi", "yes")),
            "spec",
                Map.of("resource", Map.of("apiGroup", "none.example.corp", "kind", "Nothing"))));
  }

  private static Shell.Result client(ManagementServer agent, Map<String, String> environment) {
    assumeTrue(isInstalled("python3"), "skipped: no python3 (it is not on PATH)");
    return Shell.run(
        List.of("python3", DESCRIPTIONS.resolve("client.py").toString(), agent.url().toString()),
        environment,
        Path.of("."),
        CLIENT_MAX);
  }

  /** With the names of this test in place of the page's. */
  @Test
  void theCommandsOfThePageAreAnswered() throws IOException {
    assumeTrue(isInstalled("curl"), "skipped: no curl (it is not on PATH)");
    Matcher block = COMMANDS.matcher(Files.readString(PAGE));
    assertThat(block.find()).isTrue();
    List<String> commands =
        block.group(1).lines().filter(line -> line.startsWith("curl ")).toList();

    assertThat(commands).hasSizeGreaterThan(3);
    for (String command : commands) {
      String own =
          command
              .replaceFirst("^curl ", "curl --silent --show-error --fail-with-body ")
              .replace("http://localhost:8085", OPEN.get(Program.SYNC_AGENT).url().toString())
              .replace(
                  "http://localhost:8087", OPEN.get(Program.DEPENDENCY_WEBHOOK).url().toString())
              .replace("2x5fx2o9bbcg6bq4", consumer)
              .replace("default/web", "default/" + OBJECT)
              .replace("vpcs.network.example.com", Types.VPCS.qualified())
              .replace("name=main", "name=" + OBJECT);
      Shell.Result result =
          Shell.run(List.of("bash", "-c", own), Map.of("TOKEN", "none"), Path.of("."), CLIENT_MAX);
      assertThat(result.status()).as("%s: %s", own, result.output()).isZero();
      assertThat(KubeJson.read(result.output())).as(own).isInstanceOf(Map.class);
    }
  }

  private static boolean isInstalled(String program) {
    return Shell.run(
                List.of("bash", "-c", "command -v " + program), Map.of(), Path.of("."), CLIENT_MAX)
            .status()
        == 0;
  }

  /** Fails for a description that is not valid OpenAPI. */
  private static OpenAPI description(Program service) {
    var options = new ParseOptions();
    options.setResolve(true);
    SwaggerParseResult parsed = new OpenAPIV3Parser().readLocation(file(service), null, options);
    assertThat(parsed.getMessages()).as(file(service)).isEmpty();
    return parsed.getOpenAPI();
  }

  private static String file(Program service) {
    return DESCRIPTIONS.resolve(service.module().replace("-service", ".yaml")).toUri().toString();
  }

  /** Of all operations, each with the statuses of its answers. */
  private static Set<String> answers(Program service) {
    var answers = new TreeSet<String>();
    description(service)
        .getPaths()
        .forEach((path, item) ->
            item.readOperationsMap()
                .forEach((method, operation) ->
                    operation
                        .getResponses()
                        .keySet()
                        .forEach(status -> answers.add(method + " " + path + " " + status))));
    return answers;
  }

  private static Set<String> unnamed(Set<String> paths) {
    return paths.stream()
        .map(path -> PARAMETER.matcher(path).replaceAll("{}"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Without HEAD and OPTIONS, which Spring adds everywhere. */
  private static Set<String> methods(ManagementServer server, String path) {
    String allowed =
        server.send(ManagementCall.of("OPTIONS", path)).headers().firstValue("Allow").orElse("");
    return Arrays.stream(allowed.split(","))
        .filter(method -> !Set.of("HEAD", "OPTIONS", "").contains(method))
        .collect(Collectors.toSet());
  }

  private static int status(ManagementServer server, ManagementCall call) {
    try {
      return server.send(call).statusCode();
    } catch (UncheckedIOException e) {
      // It does not listen yet.
      return 0;
    }
  }

  private static SimpleResponse response(HttpResponse<String> answer) {
    var response = SimpleResponse.Builder.status(answer.statusCode());
    answer
        .headers()
        .map()
        .forEach((name, values) -> response.withHeader(name, values.toArray(String[]::new)));
    if (!answer.body().isEmpty()) {
      response.withBody(answer.body());
    }
    return response.build();
  }
}
