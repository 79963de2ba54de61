package dev.mooring.runtime.testing;

import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/**
 * What every service's management endpoints answer, over HTTP, in profile {@code prod}, with and
 * without a management port of their own. The service runs with {@link #ARGUMENTS}. The cluster
 * that it asks knows the {@link #USERS}: the reader has the shipped ClusterRole {@value
 * #VIEW_ROLE}, the operator {@value #OPERATE_ROLE}, the stranger no rights at all.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class ManagementContract {
  /** Kubernetes' token file: token, user, UID, groups. */
  public static final String USERS =
      """
      readers-token,reader,reader-uid
      operators-token,operator,operator-uid
      strangers-token,stranger,stranger-uid
      """;

  public static final String VIEW_ROLE = "mooring-endpoints-view";
  public static final String OPERATE_ROLE = "mooring-endpoints-operate";

  /** A cached answer must not reach a caller without permission, nor a refusal one with it. */
  public static final List<String> ARGUMENTS =
      List.of(
          "--spring.profiles.active=prod",
          "--management.endpoint.status.cache.time-to-live=1m",
          "--management.endpoints.web.exposure.include=*");

  /** Binds the two shipped roles, in the cluster that the service asks. */
  public static final String BINDINGS =
      """
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: readers}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: mooring-endpoints-view}
      subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: reader}]
      ---
      apiVersion: rbac.authorization.k8s.io/v1
      kind: ClusterRoleBinding
      metadata: {name: operators}
      roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: mooring-endpoints-operate}
      subjects: [{kind: User, apiGroup: rbac.authorization.k8s.io, name: operator}]
      """;

  protected static final String READER = "readers-token";
  private static final String OPERATOR = "operators-token";
  protected static final String STRANGER = "strangers-token";

  /** Where the management endpoints are served. */
  public enum Port {
    /** {@code management.server.port} is set to a port of its own. */
    SEPARATE,
    /** The service's one port serves everything. */
    SHARED
  }

  /** Such as {@code http://127.0.0.1:8085}. */
  protected abstract URI management(Port port);

  /** Of a service that is ready, without endpoint-auth, in plain HTTP. */
  protected abstract URI managementWithoutTokens();

  /** An item that the service knows, such as a PublishedResource. */
  protected abstract String item();

  /** An item of a valid name that the service does not know. */
  protected abstract String unknownItem();

  /** Ids of the endpoints beside {@code status} and {@code resync} that ask for a token. */
  protected List<String> otherGuarded() {
    return List.of();
  }

  /** Names that the details of readiness must show. */
  protected abstract List<String> readinessDetails();

  /** Where the paths of Go programs' probes are served. */
  protected Port probes() {
    return Port.SHARED;
  }

  protected HttpClient client() throws Exception {
    return HttpClient.newHttpClient();
  }

  /** All that a service serves here answers 200 to readiness when this returns. */
  protected final void awaitReady() {
    Stream.of(management(Port.SHARED), management(Port.SEPARATE), managementWithoutTokens())
        .forEach(server ->
            await()
                .untilAsserted(() ->
                    assertThat(
                            send(server, "GET", "/actuator/health/readiness", "", "").statusCode())
                        .isEqualTo(200)));
  }

  @ParameterizedTest
  @MethodSource("requests")
  void refusesEveryRequestWithoutATokenHoweverItIsWritten(Port port, String method, String path)
      throws Exception {
    HttpResponse<String> answer = send(port, method, path, "");

    assertThat(answer.statusCode()).as(method + " " + path).isBetween(400, 499);
    assertThat(answer.body()).doesNotContain("endpoints\"", "\"resync\"", "/actuator/env");
  }

  private Stream<Arguments> requests() {
    List<String> spellings =
        List.of(
            "/actuator/status",
            "/actuator/status/",
            "/actuator/status/" + item(),
            "/actuator/status;x=y",
            "/actuator;x=y/status;x=y",
            "/actuator//status",
            "//actuator/status",
            "/actuator/%73tatus",
            "/%61ctuator/status",
            "/actuator%2Fstatus",
            "/actuator/health/../status",
            "/actuator/health/%2e%2e/status",
            "/actuator/./status",
            "/actuator/status?x=/health",
            "/actuator/status%3Fx",
            "/actuator/STATUS",
            "/actuator/status.json");
    Stream<Arguments> reads =
        Stream.of("GET", "HEAD")
            .flatMap(method -> spellings.stream().map(path -> Arguments.of(method, path)));
    Stream<Arguments> writes =
        spellings.stream()
            .map(path -> Arguments.of("POST", path.replaceAll("status|%73tatus", "resync")));
    Stream<Arguments> others =
        Stream.concat(Stream.of("env", "heapdump", "loggers", "beans"), otherGuarded().stream())
            .map(id -> Arguments.of("GET", "/actuator/" + id));
    return Stream.of(reads, writes, others)
        .flatMap(requests -> requests)
        .flatMap(request ->
            Stream.of(Port.values())
                .map(port -> Arguments.of(port, request.get()[0], request.get()[1])));
  }

  @ParameterizedTest
  @EnumSource
  void tellsByOptionsWhichMethodsThereAreAndNothingElse(Port port) throws Exception {
    HttpResponse<String> answer = send(port, "OPTIONS", "/actuator/status", "");

    assertThat(answer.body()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void asksForABearerTokenOfTheCluster(Port port) throws Exception {
    HttpResponse<String> none = send(port, "GET", "/actuator/status", "");
    HttpResponse<String> forged = send(port, "GET", "/actuator/status", "forged");

    assertThat(none.statusCode()).isEqualTo(401);
    assertThat(none.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(message(none))
        .isEqualTo("send a bearer token of the cluster: Authorization: Bearer <token>");
    assertThat(forged.statusCode()).isEqualTo(401);
    assertThat(forged.headers().firstValue("WWW-Authenticate"))
        .contains("Bearer error=\"invalid_token\"");
    assertThat(message(forged)).isEqualTo("the cluster does not know this token");
  }

  @ParameterizedTest
  @EnumSource
  void permitsWhatTheShippedRolesPermit(Port port) throws Exception {
    assertThat(send(port, "GET", "/actuator/status", READER).statusCode()).isEqualTo(200);
    assertThat(send(port, "HEAD", "/actuator/status", READER).statusCode()).isEqualTo(200);
    assertThat(send(port, "GET", "/actuator/status", OPERATOR).statusCode()).isEqualTo(200);

    HttpResponse<String> stranger = send(port, "GET", "/actuator/status", STRANGER);
    assertThat(stranger.statusCode()).isEqualTo(403);
    assertThat(message(stranger))
        .isEqualTo("stranger needs permission to get the nonResourceURL /actuator/status");
    HttpResponse<String> reader = send(port, "POST", "/actuator/resync/" + unknownItem(), READER);
    assertThat(reader.statusCode()).isEqualTo(403);
    assertThat(message(reader))
        .isEqualTo(
            "reader needs permission to post the nonResourceURL /actuator/resync/" + unknownItem());
    assertThat(send(port, "GET", "/actuator/env", OPERATOR).statusCode()).isEqualTo(403);
  }

  @ParameterizedTest
  @EnumSource
  void keepsNoAnswerForAnotherCaller(Port port) throws Exception {
    assertThat(send(port, "GET", "/actuator/status", READER).statusCode()).isEqualTo(200);
    assertThat(send(port, "GET", "/actuator/status", "").statusCode()).isEqualTo(401);
    assertThat(send(port, "GET", "/actuator/status", READER).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest
  @EnumSource
  void answersForOneItem(Port port) throws Exception {
    assertThat(send(port, "GET", "/actuator/status/" + item(), READER).statusCode()).isEqualTo(200);
    HttpResponse<String> unknown = send(port, "GET", "/actuator/status/" + unknownItem(), READER);
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(message(unknown)).contains(unknownItem());
  }

  @ParameterizedTest
  @EnumSource
  void acceptsResyncs(Port port) throws Exception {
    HttpResponse<String> all = send(port, "POST", "/actuator/resync", OPERATOR);
    assertThat(all.statusCode()).isEqualTo(202);
    assertThat(json(all).tree()).isEqualTo(Map.of("resync", "all"));
    HttpResponse<String> one = send(port, "POST", "/actuator/resync/" + item(), OPERATOR);
    assertThat(one.statusCode()).isEqualTo(202);
    assertThat(json(one).tree()).isEqualTo(Map.of("resync", item()));
    HttpResponse<String> unknown =
        send(port, "POST", "/actuator/resync/" + unknownItem(), OPERATOR);
    assertThat(unknown.statusCode()).isEqualTo(404);
    assertThat(message(unknown)).contains(unknownItem());
  }

  @ParameterizedTest
  @EnumSource
  void showsLevelsToReadersAndHasOnlyOperatorsChangeThem(Port port) throws Exception {
    var logger = (Logger) LoggerFactory.getLogger("dev.mooring.levels." + port);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    logger.addAppender(lines);
    String path = "/actuator/loggers/" + logger.getName();
    String debug = "{\"configuredLevel\": \"DEBUG\"}";

    assertThat(send(port, "POST", path, "", debug).statusCode()).isEqualTo(401);
    assertThat(send(port, "GET", path, STRANGER).statusCode()).isEqualTo(403);
    assertThat(send(port, "POST", path, STRANGER, debug).statusCode()).isEqualTo(403);
    assertThat(json(send(port, "GET", path, READER)).text("effectiveLevel")).isEqualTo("INFO");
    assertThat(send(port, "GET", "/actuator/loggers", READER).statusCode()).isEqualTo(200);
    HttpResponse<String> reader = send(port, "POST", path, READER, debug);
    assertThat(reader.statusCode()).isEqualTo(403);
    assertThat(message(reader))
        .isEqualTo("reader needs permission to post the nonResourceURL " + path);
    logger.debug("before");
    assertThat(lines.list).isEmpty();

    assertThat(send(port, "POST", path, OPERATOR, debug).statusCode()).isEqualTo(204);
    logger.debug("after");
    assertThat(lines.list).extracting(ILoggingEvent::getMessage).containsExactly("after");
    assertThat(send(port, "POST", path, OPERATOR, "{\"configuredLevel\": \"LOUD\"}").statusCode())
        .isEqualTo(400);
    assertThat(json(send(port, "GET", path, OPERATOR)).text("configuredLevel")).isEqualTo("DEBUG");

    assertThat(send(port, "POST", path, OPERATOR, "{\"configuredLevel\": null}").statusCode())
        .isEqualTo(204);
    assertThat(logger.isDebugEnabled()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void refusesOtherMethods(Port port) throws Exception {
    assertThat(send(port, "POST", "/actuator/status", OPERATOR).statusCode()).isEqualTo(405);
    assertThat(send(port, "GET", "/actuator/resync", OPERATOR).statusCode()).isEqualTo(405);
    assertThat(send(port, "DELETE", "/actuator/resync", OPERATOR).statusCode()).isEqualTo(405);
    assertThat(send(port, "GET", "/actuator/nothing", OPERATOR).statusCode()).isEqualTo(404);
  }

  @ParameterizedTest
  @EnumSource
  void showsHealthWithItsDetailsMetricsAndInfoToAllUsers(Port port) throws Exception {
    HttpResponse<String> readiness = send(port, "GET", "/actuator/health/readiness", "");

    assertThat(readiness.body()).contains(readinessDetails());
    assertThat(send(port, "GET", "/actuator/health/liveness", "").statusCode()).isEqualTo(200);
    assertThat(send(probes(), "GET", "/healthz", "").statusCode()).isEqualTo(200);
    assertThat(send(probes(), "GET", "/readyz", "").statusCode()).isEqualTo(readiness.statusCode());
    assertThat(send(port, "GET", "/actuator/prometheus", "").statusCode()).isEqualTo(200);
    assertThat(send(port, "GET", "/actuator/info", "").statusCode()).isEqualTo(200);
  }

  /** A caller without a token must not be able to fill the log. */
  @ParameterizedTest
  @EnumSource
  void doesNotFindUnknownComponentsOfHealthAndLogsNothing(Port port) throws Exception {
    var root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
    var lines = new ListAppender<ILoggingEvent>();
    lines.start();
    root.addAppender(lines);
    try {
      for (String path :
          List.of(
              "none",
              "none/none",
              "none/none/none",
              "readiness/none",
              "readiness/none/none",
              "readiness/none/none/none",
              "readiness/certificates/none",
              "readiness/certificates/none/none",
              "../status")) {
        assertThat(send(port, "GET", "/actuator/health/" + path, "").statusCode())
            .as(path)
            .isEqualTo(404);
      }
    } finally {
      root.detachAppender(lines);
    }

    assertThat(lines.list)
        .filteredOn(line -> line.getLevel().isGreaterOrEqual(Level.WARN))
        .isEmpty();
  }

  /** Without a token each page that the user of a browser visits could else act. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "POST /actuator/resync | Host: 127.0.0.1 | 202",
        "POST /actuator/resync | Host: agent.mooring-system.svc:8085 | 202",
        "POST /actuator/resync | Host: localhost, Sec-Fetch-Site: same-origin | 202",
        "POST /actuator/resync | Host: localhost:1, Origin: http://localhost:1 | 202",
        "POST /actuator/resync | Host: localhost, Sec-Fetch-Site: cross-site | 403",
        "POST /actuator/resync | Host: localhost, Sec-Fetch-Site: same-site | 403",
        "POST /actuator/resync/ITEM | Host: localhost, Origin: http://evil.example | 403",
        "POST /actuator/resync | Host: localhost, Origin: null | 403",
        "POST /actuator/resync | Host: evil.example | 403",
        "GET /actuator/status | Host: evil.example:8085 | 403",
        "GET /actuator/status | Host: localhost, Sec-Fetch-Site: cross-site | 200",
        "GET /actuator/health/liveness | Host: evil.example | 200",
      })
  void refusesPagesOfOtherSitesWhereNoTokenIsAskedFor(String request, String headers, int status)
      throws Exception {
    assertThat(answerWithoutTokens(request.replace("ITEM", item()), headers))
        .startsWith("HTTP/1.1 " + status + " ");
  }

  /**
   * The answer of {@link #managementWithoutTokens}, also to headers that clients set themselves.
   *
   * @param request method and path
   * @param headers separated by a comma and a space
   */
  protected final String answerWithoutTokens(String request, String headers) throws IOException {
    URI server = managementWithoutTokens();
    try (var socket = new Socket(server.getHost(), server.getPort())) {
      socket
          .getOutputStream()
          .write(
              (request
                      + " HTTP/1.1\r\n"
                      + headers.replace(", ", "\r\n")
                      + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
                  .getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /**
   * @param token empty for none
   */
  protected final HttpResponse<String> send(Port port, String method, String path, String token)
      throws Exception {
    return send(port, method, path, token, "");
  }

  private HttpResponse<String> send(
      Port port, String method, String path, String token, String body) throws Exception {
    return send(management(port), method, path, token, body);
  }

  private HttpResponse<String> send(
      URI server, String method, String path, String token, String body) throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(server + path))
            .header("Content-Type", "application/json")
            .method(
                method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    if (!token.isEmpty()) {
      request.header("Authorization", "Bearer " + token);
    }
    try (HttpClient client = client()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }

  private static String message(HttpResponse<String> answer) throws IOException {
    return json(answer).text("message");
  }

  private static KubeObject json(HttpResponse<String> answer) throws IOException {
    return KubeJson.readObject(answer.body().getBytes(StandardCharsets.UTF_8));
  }
}
