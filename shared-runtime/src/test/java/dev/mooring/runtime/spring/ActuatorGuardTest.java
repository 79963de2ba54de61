package dev.mooring.runtime.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.time.ManualTime;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.startup.Tomcat;
import org.apache.tomcat.util.descriptor.web.FilterDef;
import org.apache.tomcat.util.descriptor.web.FilterMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** In front of a servlet that answers everything with 200, in a real container. */
class ActuatorGuardTest {
  /** The container's own reports, of which there are many and none matters here. */
  private static final Logger CONTAINER_LOG = Logger.getLogger("org.apache");

  @TempDir private Path directory;
  private final HttpClient http = HttpClient.newHttpClient();
  private StubServer cluster;
  private KubeConnection connection;
  private Tomcat tomcat;

  @BeforeEach
  void starts() throws Exception {
    CONTAINER_LOG.setLevel(Level.OFF);
    cluster = StubServer.start(ActuatorGuardTest::review);
    connection = cluster.connect(directory, "", "{token: own}");
    var guard = new ActuatorGuard(new AccessReviewer(connection.client(), new ManualTime()));
    tomcat = new Tomcat();
    tomcat.setBaseDir(directory.toString());
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context = tomcat.addContext("", null);
    Tomcat.addServlet(context, "all", new Welcome());
    context.addServletMappingDecoded("/*", "all");
    var definition = new FilterDef();
    definition.setFilterName("guard");
    definition.setFilter(guard);
    context.addFilterDef(definition);
    var mapping = new FilterMap();
    mapping.setFilterName("guard");
    mapping.addURLPattern("/*");
    context.addFilterMap(mapping);
    tomcat.start();
  }

  @AfterEach
  void stops() throws Exception {
    tomcat.stop();
    tomcat.destroy();
    connection.close();
    cluster.close();
    http.close();
  }

  @ParameterizedTest
  @ValueSource(strings = {"/actuator/health", "/actuator/prometheus", "/actuator/info", "/metrics"})
  void leavesTheRestOpen(String path) throws Exception {
    assertThat(get(path, "").statusCode()).isEqualTo(200);
    assertThat(cluster.asked()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/actuator/status",
        "/actuator/status/certs",
        "/actuator/blockers/x",
        "/actuator//status",
        "/actuator/%73tatus",
        "/actuator/status;a=b",
        "/actuator/health/../status"
      })
  void asksForATokenHoweverThePathIsWritten(String path) throws Exception {
    HttpResponse<String> answer = get(path, "");

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.headers().firstValue("WWW-Authenticate")).contains("Bearer");
    assertThat(answer.body()).contains("send a bearer token");
  }

  @ParameterizedTest
  @CsvSource({
    "alices, 200, welcome",
    "bobs, 403, bob needs permission to get the nonResourceURL /actuator/status",
    "forged, 401, the cluster does not know this token",
    "storm, 503, the cluster cannot be asked whether this is permitted; try again"
  })
  void letsInWhomTheClusterPermits(String token, int code, String said) throws Exception {
    HttpResponse<String> answer = get("/actuator/status", "Bearer " + token);

    assertThat(answer.statusCode()).isEqualTo(code);
    assertThat(answer.body()).contains(said).doesNotContain(token);
  }

  @Test
  void tellsReadingFromActing() throws Exception {
    HttpRequest post =
        request("/actuator/resync", "bearer alices")
            .POST(HttpRequest.BodyPublishers.noBody())
            .build();

    HttpResponse<String> answer = http.send(post, HttpResponse.BodyHandlers.ofString());

    assertThat(answer.body()).contains("alice needs permission to post");
  }

  private HttpResponse<String> get(String path, String authorization) throws Exception {
    return http.send(
        request(path, authorization).GET().build(), HttpResponse.BodyHandlers.ofString());
  }

  private HttpRequest.Builder request(String path, String authorization) {
    URI url = URI.create("http://127.0.0.1:" + tomcat.getConnector().getLocalPort() + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(url);
    return authorization.isEmpty() ? request : request.header("Authorization", authorization);
  }

  /** alice may read, bob may nothing, and one token brings the cluster down. */
  private static void review(StubServer.Asked asked, HttpExchange exchange) throws IOException {
    KubeObject review = KubeJson.readObject(asked.body());
    String token = review.text("spec", "token");
    if (token.equals("storm")) {
      StubServer.reply(exchange, 500, "text/plain", "down");
      return;
    }
    Map<String, Object> status =
        review.kind().equals("TokenReview")
            ? Map.of(
                "authenticated",
                !token.equals("forged"),
                "user",
                Map.of("username", token.replaceFirst("s$", "")))
            : Map.of(
                "allowed",
                review.text("spec", "user").equals("alice")
                    && review.text("spec", "nonResourceAttributes", "verb").equals("get"));
    StubServer.reply(
        exchange,
        201,
        "application/json",
        KubeJson.writeText(review.with(status, "status").tree()));
  }

  private static final class Welcome extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      response.getOutputStream().print("welcome");
    }
  }
}
