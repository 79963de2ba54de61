package dev.mooring.runtime.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.trace.RecordedTraces;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestSpansTest {
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final String MISSING =
      """
      {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404,
       "details":{"kind":"secrets","name":"a"}}\
      """;
  private static final String REFUSAL =
      """
      {"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Invalid","code":422,
       "message":"Secret \\"a\\" is invalid: data[key]: Invalid value: \\"hunter2\\""}\
      """;

  private final RecordedTraces recorded = new RecordedTraces();
  private final List<String> parents = new CopyOnWriteArrayList<>();

  @TempDir private Path directory;
  private StubServer server;
  private KubeConnection connection;
  private KubeClient client;

  @BeforeEach
  void connects() {
    answering(404, MISSING);
    connection = server.connect(directory, "/clusters/root:org", "{token: sesame}");
    client = connection.client();
  }

  private void answering(int code, String body) {
    StubServer.Script script =
        (_, exchange) -> {
          parents.add(String.valueOf(exchange.getRequestHeaders().getFirst("Traceparent")));
          StubServer.reply(exchange, code, "application/json", body);
        };
    if (server == null) {
      server = StubServer.start(script);
    } else {
      server.now(script);
    }
  }

  @AfterEach
  void closes() {
    connection.close();
    server.close();
  }

  @Test
  void aRequestOfTracedWorkIsAChildThatItsServerCanContinue() {
    try (var _ = recorded.tracing().received("review", _ -> null)) {
      client.find(SECRETS, "ns", "a");
    }

    SpanData request = recorded.spans().getFirst();
    assertThat(request.getParentSpanId()).isEqualTo(recorded.spans().getLast().getSpanId());
    assertThat(request.getName()).isEqualTo("GET /api/v1/namespaces/{namespace}/secrets/{name}");
    assertThat(request.getKind()).isEqualTo(SpanKind.CLIENT);
    assertThat(attributes(request))
        .containsEntry("mooring.workspace", "root:org")
        .containsEntry("http.response.status_code", "404")
        .containsEntry(
            "url.full", server.url() + "/clusters/root:org/api/v1/namespaces/ns/secrets/a");
    // An object that is not there is no failure.
    assertThat(request.getStatus().getStatusCode()).isNotEqualTo(StatusCode.ERROR);
    assertThat(parents)
        .singleElement()
        .asString()
        .startsWith("00-" + request.getTraceId() + "-" + request.getSpanId());
  }

  @Test
  void aRefusedWriteNamesItsStatusAndNothingOfTheObject() {
    answering(422, REFUSAL);
    try (var _ = recorded.tracing().received("review", _ -> null)) {
      catchThrowableOfType(
          KubeFailure.class,
          () -> client.patch(SECRETS, "ns", "a", Map.of("data", Map.of("key", "hunter2"))));
    }

    SpanData request = recorded.spans().getFirst();
    assertThat(request.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(attributes(request)).containsEntry("error.type", "422");
    assertThat(recorded.spans().toString()).doesNotContain("hunter2");
  }

  @Test
  void aListIsOneSpanWithoutItsSelector() {
    answering(
        200, "{\"kind\":\"SecretList\",\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}");
    try (var _ = recorded.tracing().received("review", _ -> null)) {
      client.list(SECRETS, ListQuery.ALL);
    }

    assertThat(attributes(recorded.spans().getFirst()))
        .containsEntry("url.template", "/api/v1/secrets")
        .containsEntry("http.response.status_code", "200");
  }

  @Test
  void aServerThatIsGoneIsAFailure() {
    server.close();
    try (var _ = recorded.tracing().received("review", _ -> null)) {
      catchThrowableOfType(KubeFailure.class, () -> client.find(SECRETS, "ns", "a"));
    }

    assertThat(attributes(recorded.spans().getFirst())).containsEntry("error.type", "no_answer");
  }

  @Test
  void workThatIsNotTracedSendsNoHeader() {
    client.find(SECRETS, "ns", "a");

    assertThat(parents).containsExactly("null");
    assertThat(recorded.spans()).isEmpty();
  }

  private static Map<String, String> attributes(SpanData span) {
    return span.getAttributes().asMap().entrySet().stream()
        .collect(
            Collectors.toMap(
                (Map.Entry<AttributeKey<?>, Object> one) -> one.getKey().getKey(),
                one -> one.getValue().toString()));
  }
}
