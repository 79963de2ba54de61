package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.REGIONS;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.depwebhook.DependencyWebhookApplication;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.client.http.RequestCounters.Method;
import dev.mooring.runtime.client.http.RequestCounters.Outcome;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.sandbox.fault.Fault;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.catalina.core.StandardWrapper;
import org.apache.coyote.ProtocolHandler;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** The service as a process among others: replicas, certificates, starting and stopping. */
class RunningIT extends OnWebhookEnvironment {
  @TempDir private static Path directory;
  private static ConfigurableApplicationContext service;

  @BeforeAll
  static void starts() throws Exception {
    land = WebhookEnvironment.onSandbox(directory, 1);
    land.usualRules();
    service = land.serve(2);
    land.create(VPCS, "default", "shared", "");
    land.create(MACHINES, "default", "vm-shared", "shared");
  }

  @Test
  void everyReplicaGivesTheSameAnswer() throws Exception {
    ConfigurableApplicationContext replica = land.serve(2);

    assertThat(land.review(replica, VPCS, "default", "shared", "alice"))
        .isEqualTo(land.review(service, VPCS, "default", "shared", "alice"))
        .extracting(review -> review.text("response", "status", "message"))
        .isEqualTo("cannot delete vpcs/shared: still referenced by VirtualMachine/vm-shared");
  }

  /** As kcp does for moments after a type was bound. */
  @Test
  void decidesThoughKcpHasItsFirstReadsComeBackLater() throws Exception {
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "shared", "alice"));
    land.workspaces.sandbox().faults().inject(Fault.TOO_MANY_REQUESTS, 1);
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<HttpResponse<byte[]>> answer =
          executor.submit(() -> land.post(service, "/validate", review));
      await()
          .pollInterval(Duration.ofMillis(20))
          .until(() -> land.workspaces.sandbox().faults().injected(Fault.TOO_MANY_REQUESTS) > 0);
      land.workspaces.sandbox().faults().reset();

      assertThat(KubeJson.readObject(answer.get().body()).text("response", "status", "message"))
          .isEqualTo("cannot delete vpcs/shared: still referenced by VirtualMachine/vm-shared");
    } finally {
      land.workspaces.sandbox().faults().reset();
    }
  }

  @Test
  void isNotReadyAndRefusesUntilItKnowsTheRules() throws Exception {
    Path kubeconfig =
        land.workspaces.kubeconfigFor(land.network, directory.resolve("without-export"));
    try (ConfigurableApplicationContext early =
        new SpringApplicationBuilder(DependencyWebhookApplication.class)
            .profiles("local")
            .run(
                "--server.port=0",
                "--management.server.port=0",
                "--tls-cert-dir=" + directory.resolve("tls"),
                "--kubeconfig=" + kubeconfig)) {
      assertThat(early.getBean("rules", HealthIndicator.class).health().getStatus().getCode())
          .isEqualTo("OUT_OF_SERVICE");
      byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "shared", "alice"));
      var answer = land.post(early, "/validate", review);
      assertThat(KubeJson.readObject(answer.body()).text("response", "status", "message"))
          .isEqualTo("dependency webhook not yet initialized, retry later");
      assertThat(answer.headers().allValues("connection")).containsExactly("close");
      assertThat(
              KubeJson.readObject(land.post(early, "/validate/network1/told", review).body())
                  .map("response"))
          .isEqualTo(Map.of("uid", "review-of-shared", "allowed", true));
    }
  }

  @Test
  void usesNoRulesThatAreStale() throws Exception {
    var ahead = new AtomicReference<>(Duration.ZERO);
    try (KubeConnection kcp = land.workspaces.connect(land.dependencies);
        RuleStore rules = rules(kcp, ahead, new ManualTime())) {
      await().until(() -> rules.current() instanceof Rules.Loaded);

      long before = kcp.requests().count(Method.GET, Outcome.SUCCESS);
      ahead.set(Duration.ofSeconds(67));
      for (int i = 0; i < 20; i++) {
        assertThat(rules.current()).isInstanceOf(Rules.Loaded.class);
      }
      await().until(() -> kcp.requests().count(Method.GET, Outcome.SUCCESS) >= before + 2);

      ahead.set(Duration.ofHours(1));
      assertThat(rules.current())
          .isInstanceOfSatisfying(
              Rules.Stale.class,
              stale -> {
                assertThat(rules.current().lastLoaded().orElseThrow().size()).isEqualTo(2);
                assertThat(stale.problem()).startsWith("no watch event or bookmark from ");
              });
      assertThat(rules.lastEventAge()).isBetween(Duration.ofHours(1), Duration.ofMinutes(65));

      ahead.set(Duration.ZERO);
      assertThat(rules.current()).isInstanceOf(Rules.Loaded.class);
    }
  }

  @Test
  void relistsRulesWithoutReviews() throws Exception {
    var ahead = new AtomicReference<>(Duration.ZERO);
    var time = new ManualTime();
    try (KubeConnection kcp = land.workspaces.connect(land.dependencies);
        RuleStore rules = rules(kcp, ahead, time)) {
      await().until(() -> rules.current() instanceof Rules.Loaded);
      long before = kcp.requests().count(Method.GET, Outcome.SUCCESS);

      ahead.set(Duration.ofSeconds(67));
      time.advance(Duration.ofSeconds(5));

      await().until(() -> kcp.requests().count(Method.GET, Outcome.SUCCESS) >= before + 2);
      assertThat(time.pending()).isOne();
    }
  }

  /** By a clock that is so far ahead. */
  private static RuleStore rules(
      KubeConnection kcp, AtomicReference<Duration> ahead, Scheduler scheduler) {
    return new RuleStore(
            kcp,
            "dependencies.opendefense.cloud",
            Duration.ofSeconds(75),
            EndpointOverrides.NONE,
            () -> SystemTime.clock().instant().plus(ahead.get()))
        .start(scheduler);
  }

  @Test
  void showsItsRequestsToKcpAndTheAgeOfItsLastRuleEvent() {
    var meters = service.getBean(MeterRegistry.class);

    assertThat(
            meters
                .get("mooring.client.requests")
                .tags("server", "kcp", "method", "GET", "outcome", "success")
                .functionCounter()
                .count())
        .isPositive();
    assertThat(meters.get("mooring.events.dropped").functionCounter().count()).isZero();
    assertThat(
            meters.get("mooring.dependency.webhook.rules.last.event.age.seconds").gauge().value())
        .isBetween(0.0, 3_600.0);
  }

  @Test
  void answersMalformedAndOversizedReviews() throws Exception {
    KubeObject garbled = answer(service, "{");
    assertThat(garbled.kind()).isEqualTo("AdmissionReview");
    assertThat(garbled.at("response", "allowed")).isEqualTo(false);

    KubeObject huge =
        answer(service, "{\"request\":{\"uid\":\"u1\",\"x\":\"" + "x".repeat(9 << 20) + "\"}}");
    assertThat(huge.text("response", "uid")).isEqualTo("u1");
    assertThat(huge.at("response", "status", "code")).isEqualTo(413L);
  }

  @Test
  void servesANewCertificateWithoutARestart() throws Exception {
    Path tls = directory.resolve("rotated");
    TestCertificate.forLocalhost(tls);
    ConfigurableApplicationContext rotating = land.serve(2, "--tls-cert-dir=" + tls);
    X509Certificate before = TestCertificate.servedAt(WebhookEnvironment.port(rotating));

    Path next = directory.resolve("next");
    TestCertificate.forLocalhost(next);
    Files.copy(
        next.resolve("tls.key"), tls.resolve("tls.key"), StandardCopyOption.REPLACE_EXISTING);
    Files.copy(
        next.resolve("tls.crt"), tls.resolve("tls.crt"), StandardCopyOption.REPLACE_EXISTING);

    await()
        .ignoreExceptions()
        .until(() -> !TestCertificate.servedAt(WebhookEnvironment.port(rotating)).equals(before));
  }

  @Test
  void answersTheProbesOfTheGoProgramOnTheMetricsPort() throws Exception {
    assertThat(get(service, "healthz").statusCode()).isEqualTo(200);
    assertThat(get(service, "readyz").statusCode()).isEqualTo(200);
  }

  @Test
  void speaksTls12ButNothingOlder() throws Exception {
    assertThat(TestCertificate.protocolAt(WebhookEnvironment.port(service), "TLSv1.2"))
        .isEqualTo("TLSv1.2");
    assertThat(RawHello.alert(WebhookEnvironment.port(service), 2))
        .isEqualTo(RawHello.PROTOCOL_VERSION);
  }

  @Test
  void takesReviewsFromTrustedClientsOnlyIfConfigured() throws Exception {
    Path trusted = directory.resolve("api-server");
    TestCertificate.forClient(trusted);
    Path stranger = directory.resolve("stranger");
    TestCertificate.forClient(stranger);
    ConfigurableApplicationContext strict =
        land.serve(
            2,
            "--server.ssl.client-auth=need",
            "--spring.ssl.bundle.pem.webhook.truststore.certificate=file:"
                + trusted.resolve("tls.crt"));
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "shared", "alice"));

    assertThatThrownBy(() -> land.post(strict, "/validate", review))
        .isInstanceOf(IOException.class);
    assertThatThrownBy(() -> land.post(strict, "/validate", review, stranger))
        .isInstanceOf(IOException.class);
    assertThat(
            KubeJson.readObject(land.post(strict, "/validate", review, trusted).body())
                .text("response", "status", "message"))
        .isEqualTo("cannot delete vpcs/shared: still referenced by VirtualMachine/vm-shared");
  }

  @Test
  void keepsNoMoreConnectionsThanFitIntoMemoryAndLeavesItToItsClientsToCloseThem() {
    ProtocolHandler protocol =
        ((TomcatWebServer) ((ServletWebServerApplicationContext) service).getWebServer())
            .getTomcat()
            .getConnector()
            .getProtocolHandler();
    assertThat(protocol)
        .asInstanceOf(InstanceOfAssertFactories.type(AbstractHttp11Protocol.class))
        .satisfies(
            http -> assertThat(http.getMaxConnections()).isEqualTo(200),
            http -> assertThat(http.getAcceptCount()).isEqualTo(1_000),
            http -> assertThat(http.getKeepAliveTimeout()).isGreaterThan(90_000));
  }

  @Test
  void closesAConnectionNowAndThenWhereAllAreTakenSoThatOthersGetIn() throws Exception {
    ConfigurableApplicationContext narrow = land.serve(2, "--server.tomcat.max-connections=1");
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "shared", "alice"));
    try (HttpClient keeping = land.client();
        var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      var closed = new ArrayList<String>();
      for (int i = 0; i < Connections.CLOSED_EVERY; i++) {
        HttpResponse<byte[]> answer = land.post(keeping, narrow, "/validate", review);
        closed.addAll(answer.headers().allValues("connection"));
      }
      assertThat(closed).containsExactly("close");

      land.post(keeping, narrow, "/validate", review);
      Future<HttpResponse<byte[]>> other =
          executor.submit(() -> land.post(narrow, "/validate", review));
      await()
          .until(() -> {
            land.post(keeping, narrow, "/validate", review);
            return other.isDone();
          });

      assertThat(other.get().statusCode()).isEqualTo(200);
    }
  }

  /** Clients that reach the port and have no key, each as slow as it may be. */
  @Test
  void connectionsThatBringNoReviewKeepOutNoReview() throws Exception {
    ConfigurableApplicationContext narrow = land.serve(2, "--server.tomcat.max-connections=4");
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "shared", "alice"));
    var slow = new ArrayList<SlowRequest>();
    try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 4; i++) {
        slow.add(
            SlowRequest.beginning(
                WebhookEnvironment.port(narrow), directory.resolve("tls/ca.crt"), "GET /"));
      }
      Future<HttpResponse<byte[]>> answer =
          executor.submit(() -> land.post(narrow, "/validate", review));
      await()
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> {
            slow.forEach(SlowRequest::trickle);
            return answer.isDone();
          });

      assertThat(answer.get().statusCode()).isEqualTo(200);
    } finally {
      for (SlowRequest request : slow) {
        request.close();
      }
    }
  }

  @Test
  void aHeadThatTricklesInIsGivenUpWhereThereIsRoomToo() throws Exception {
    try (var trickling =
        SlowRequest.beginning(
            WebhookEnvironment.port(service), directory.resolve("tls/ca.crt"), "GET /")) {
      await()
          .atMost(Duration.ofMinutes(1))
          .pollInterval(Duration.ofMillis(500))
          .until(() -> !trickling.trickle());
    }
  }

  /** No API server sends these. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /validate",
        "OPTIONS /validate",
        "PUT /validate/network1",
        "POST /validate/network1/no/such/path",
        "GET /",
        "GET /actuator/health"
      })
  void anAnswerThatIsNoReviewIsTheLastOfItsConnection(String line) throws Exception {
    String[] request = line.split(" ");
    try (HttpClient client = land.client()) {
      HttpResponse<byte[]> answer =
          client.send(
              HttpRequest.newBuilder(
                      URI.create(
                          "https://127.0.0.1:" + WebhookEnvironment.port(service) + request[1]))
                  .method(request[0], HttpRequest.BodyPublishers.noBody())
                  .build(),
              HttpResponse.BodyHandlers.ofByteArray());

      assertThat(answer.statusCode()).isEqualTo(404);
      assertThat(answer.headers().allValues("connection")).containsExactly("close");
    }
  }

  @Test
  void theManagementPortKeepsItsConnections() throws Exception {
    for (String path : List.of("healthz", "no/such/path")) {
      assertThat(get(service, path).headers().allValues("connection"))
          .as(path)
          .doesNotContain("close");
    }
  }

  @Test
  void closesNoConnectionWhereThereIsRoom() throws Exception {
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "shared", "alice"));
    try (HttpClient keeping = land.client()) {
      for (int i = 0; i < Connections.CLOSED_EVERY; i++) {
        assertThat(
                land.post(keeping, service, "/validate", review).headers().allValues("connection"))
            .doesNotContain("close");
      }
    }
  }

  @Test
  void refusesAKubeconfigThatPointsAtNoWorkspace() throws IOException {
    Path kubeconfig =
        land.workspaces.kubeconfigFor(land.network, directory.resolve("of-no-workspace"));
    Files.writeString(
        kubeconfig, Files.readString(kubeconfig).replaceAll("/clusters/[^\\s\"]+", ""));
    String tls = "--tls-cert-dir=" + directory.resolve("tls");
    assertThatThrownBy(() ->
            new SpringApplicationBuilder(DependencyWebhookApplication.class)
                .profiles("local")
                .run(
                    "--server.port=0",
                    "--management.server.port=0",
                    tls,
                    "--kubeconfig=" + kubeconfig))
        .rootCause()
        .hasMessageContaining("is no workspace of kcp");
  }

  @Test
  void asksForItsConnectionsBackBeforeItStops() throws Exception {
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "shared", "alice"));
    Drain drain = service.getBean(Drain.class);

    drain.stop();
    try {
      var last = land.post(service, "/validate", review);
      assertThat(last.statusCode()).isEqualTo(200);
      assertThat(last.headers().allValues("connection")).containsExactly("close");
    } finally {
      drain.start();
    }
    assertThat(land.post(service, "/validate", review).headers().allValues("connection"))
        .doesNotContain("close");
  }

  @Test
  void finishesAReviewThatIsUnderWayWhenItStops() throws Exception {
    ConfigurableApplicationContext stopping = land.serve(2);
    int port = WebhookEnvironment.port(stopping);
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "shared", "alice"));
    try (var request =
        SlowRequest.begin(port, directory.resolve("tls/ca.crt"), "/validate", review)) {
      // The server bids its client go on before it takes the review up.
      await().until(() -> isBusy(stopping));
      Thread closing = Thread.ofVirtual().start(stopping::close);
      await()
          .until(() -> {
            try {
              TestCertificate.servedAt(port);
              return false;
            } catch (ConnectException e) {
              return true;
            } catch (SocketException e) {
              // The server closes its port at this moment.
              return false;
            }
          });

      String answer = request.finish();

      assertThat(answer).startsWith("HTTP/1.1 200").contains("still referenced by");
      closing.join();
    }
  }

  @Test
  void explainsWhatBlocksADeletion() {
    land.create(REGIONS, "", "explained", "");
    land.create(MACHINES, "default", "vm-explained", "explained");
    BlockersEndpoint blockers = service.getBean(BlockersEndpoint.class);
    String cluster = land.workspaces.cluster(land.consumer).name();

    var answer =
        blockers
            .blockers(cluster, "regions.network.example.com", null, "explained", null)
            .getBody();

    assertThat(answer)
        .containsEntry("deletion", "denied")
        .containsEntry(
            "message",
            "cannot delete regions/explained: still referenced by"
                + " VirtualMachine/default/vm-explained");
    assertThat(answer.get("rules")).asString().contains("machines-need").contains("gateways-need");
  }

  @Test
  void explainsThatAnAnnotatedObjectWouldGo() throws Exception {
    land.create(VPCS, "default", "annotated", "");
    land.create(MACHINES, "default", "vm-annotated", "annotated");
    String query = blockers("vpcs.network.example.com", "annotated") + "&namespace=default";
    assertThat(get(service, query).body()).contains("\"deletion\":\"denied\"");

    land.annotate(VPCS, "default", "annotated", DependencyRule.SKIP_PROTECTION, "true");

    assertThat(get(service, query).body())
        .contains("\"deletion\":\"allowed\"", "\"reason\":\"skip_protection\"")
        .containsPattern("\"bypassed\":\\[[^]]*machines-need");
  }

  @Test
  void explainsNothingAboutWhatIsNotThere() throws Exception {
    HttpResponse<String> missing = get(service, blockers("regions.network.example.com", "nowhere"));
    assertThat(missing.statusCode()).isEqualTo(404);
    assertThat(missing.body()).contains("there is no regions.network.example.com ", "nowhere");

    HttpResponse<String> unknown = get(service, blockers("things.example.com", "nowhere"));
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(unknown.body()).contains("things.example.com are not served in logical cluster ");
  }

  @Test
  void explainsNothingAboutWhatMayBeInAnyNamespace() throws Exception {
    HttpResponse<String> nowhere = get(service, blockers("vpcs.network.example.com", "some"));
    assertThat(nowhere.statusCode()).isEqualTo(400);
    assertThat(nowhere.body()).contains("are in namespaces: say in which, by namespace=");

    HttpResponse<String> inside =
        get(service, blockers("regions.network.example.com", "some") + "&namespace=default");
    assertThat(inside.statusCode()).isEqualTo(400);
    assertThat(inside.body()).contains("are in no namespace: leave out namespace=");
  }

  private static String blockers(String resource, String name) {
    return "actuator/blockers?cluster=%s&resource=%s&name=%s"
        .formatted(land.workspaces.cluster(land.consumer), resource, name);
  }

  private static boolean isBusy(ConfigurableApplicationContext of) {
    var tomcat =
        ((TomcatWebServer) ((ServletWebServerApplicationContext) of).getWebServer()).getTomcat();
    return Arrays.stream(tomcat.getHost().findChildren())
        .flatMap(context -> Arrays.stream(context.findChildren()))
        .anyMatch(servlet -> ((StandardWrapper) servlet).getCountAllocated() > 0);
  }

  /** From the port of the management endpoints. */
  private static HttpResponse<String> get(ConfigurableApplicationContext of, String path)
      throws Exception {
    String port = of.getEnvironment().getProperty("local.management.port");
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/" + path)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }

  private static KubeObject answer(ConfigurableApplicationContext of, String body)
      throws Exception {
    return KubeJson.readObject(
        land.post(of, "/validate", body.getBytes(StandardCharsets.UTF_8)).body());
  }
}
