package dev.mooring.syncagent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.mooring.runtime.testing.TestWorkspaces;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** What the agent's console shows of published types and objects. */
class AgentConsoleIT {
  private static final String MARKUP = "<img src=x onerror=alert(1)>\"'&";

  @RegisterExtension static final TwoClusters clusters = TwoClusters.withoutAgent();
  private static ConfigurableApplicationContext agent;
  private static Certificates certificates;

  @BeforeAll
  static void starts() throws Exception {
    agent =
        new SpringApplicationBuilder(SyncAgentApplication.class)
            .run(
                "--spring.profiles.active=local",
                "--server.port=0",
                "--mooring.sync-agent.kubeconfig=" + clusters.serviceKubeconfig(),
                "--mooring.sync-agent.kcp-kubeconfig=" + clusters.kcpKubeconfig(),
                "--mooring.sync-agent.apiexportendpointslice-ref=certs");
    certificates = new Certificates(clusters, "consumer-1");
  }

  @AfterAll
  static void stops() {
    agent.close();
  }

  @Test
  void showsAnObjectAndWhereItsCopyIs() {
    certificates.order("shown");
    String copy = certificates.copy("shown").namespace();

    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() ->
            assertThat(get("published"))
                .contains("certificates.v1.certs.example.io", "objects?resource=certificates"));
    String found = get("objects?text=default/shown");
    assertThat(found).contains("Objects: 1<", ">default/shown</a>");
    assertThat(get("objects?text=default/absent")).contains("Objects: 0<");

    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() ->
            assertThat(get(link(found)))
                .contains(
                    ">default/shown</h2>",
                    "Certificate " + copy + "/",
                    "syncagent.kcp.io/cleanup",
                    certificates.cluster())
                .containsPattern(">OK</span>\\s*synced"));
    assertThat(get(link(found).replace("name=shown", "name=absent")))
        .contains("The agent knows no object default/absent");
  }

  @Test
  void showsWhyAnObjectFailsAndEscapesWhatItsConsumerWrote() {
    RelatedStage.namespace(clusters.service(), "hostile");
    var orders =
        OrderedKind.publish(
            clusters,
            "hostile",
            "naming: {namespace: hostile, name: '{{ .Object.metadata.annotations.title }}'}");
    orders.create(
        TwoClusters.object(
                "{apiVersion: %s, kind: Order, metadata: {namespace: default, name: z}}",
                orders.source().apiVersion())
            .with(Map.of("title", MARKUP), "metadata", "annotations"));

    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() ->
            assertThat(get("objects?state=refused&resource=hostile"))
                .contains("default/z", "NamingFailed", "&lt;img src=x")
                .doesNotContain("<img"));
    assertThat(get("published?name=hostile"))
        .contains("NamingFailed", "Conditions", "some objects fail")
        .doesNotContain("<img");
    certificates.order("early");
    await()
        .atMost(TestWorkspaces.PATIENCE)
        .untilAsserted(() -> assertThat(get("objects?state=synced")).contains("default/early"));
    assertThat(link(get("objects"))).as("refused, before all that are synced").contains("name=z");
    String published = get("published");
    assertThat(published.indexOf("name=hostile"))
        .isPositive()
        .isLessThan(published.indexOf("name=certificates"));
    String story = get(link(get("objects?state=refused&resource=hostile")));
    assertThat(story).contains("&lt;img src=x", "There is no copy.").doesNotContain("<img");
    assertThat(get("objects?text=" + URLEncoder.encode(MARKUP, StandardCharsets.UTF_8)))
        .contains("Objects: 0<", "alert(1)>&#34;");
  }

  /** Of the first row. */
  private static String link(String page) {
    int from = page.indexOf("href=\"objects?cluster=") + "href=\"".length();
    return page.substring(from, page.indexOf('"', from)).replace("&amp;", "&");
  }

  private static String get(String path) {
    URI url =
        URI.create(
            "http://127.0.0.1:"
                + agent.getEnvironment().getProperty("local.server.port")
                + "/console/"
                + path);
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<String> answer =
          client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString());
      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
      return answer.body();
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }
}
