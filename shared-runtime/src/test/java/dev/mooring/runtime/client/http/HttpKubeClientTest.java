package dev.mooring.runtime.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeFailure.Kind;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.StubServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpKubeClientTest {
  private static final ResourceType THINGS = new ResourceType("example.io", "v1", "things");
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final KubeObject THING =
      KubeJson.readObject(
          """
          {"apiVersion":"example.io/v1","kind":"Thing",
           "metadata":{"name":"a","namespace":"ns","uid":"u1","resourceVersion":"7"},
           "spec":{"precise":12345678901234567890,"half":0.5,"nothing":null}}\
          """);

  @TempDir private Path directory;
  private StubServer server;
  private KubeConnection connection;
  private KubeClient client;

  @BeforeEach
  void connects() {
    server =
        StubServer.start(
            StubServer.replying(200, "application/json", KubeJson.writeText(THING.tree())));
    connection = server.connect(directory, "/clusters/root:org", "{token: sesame}");
    client = connection.client();
  }

  @AfterEach
  void closes() {
    connection.close();
    server.close();
  }

  @Test
  void returnsObjectsWithEveryFieldTheyCameWith() {
    assertThat(client.find(THINGS, "ns", "a")).contains(THING);
    assertThat(server.lastAsked().target())
        .isEqualTo("/clusters/root:org/apis/example.io/v1/namespaces/ns/things/a");
    assertThat(server.lastAsked().authorization()).isEqualTo("Bearer sesame");
  }

  @Test
  void sendsNoWriteOnceItMayNot() {
    var may = new AtomicBoolean(true);
    KubeClient bounded = connection.writingWhile(may::get).client();
    bounded.create(THINGS, THING);
    may.set(false);
    int sent = server.asked().size();

    for (ThrowingCallable write :
        List.<ThrowingCallable>of(
            () -> bounded.create(THINGS, THING),
            () -> bounded.update(THINGS, THING),
            () -> bounded.patch(THINGS, "ns", "a", Map.of()),
            () -> bounded.delete(THINGS, "ns", "a", new DeleteCondition.Unconditional()))) {
      assertFails(Kind.UNAVAILABLE, write);
    }

    assertThat(server.asked()).hasSize(sent);
    assertThat(bounded.find(THINGS, "ns", "a")).contains(THING);
    client.create(THINGS, THING);
    assertThat(server.lastAsked().method()).isEqualTo("POST");
  }

  @Test
  void sendsObjectsWithEveryFieldTheyHave() {
    client.create(THINGS, THING);

    assertThat(server.lastAsked().method()).isEqualTo("POST");
    assertThat(server.lastAsked().target()).endsWith("/namespaces/ns/things");
    assertThat(KubeJson.readObject(server.lastAsked().body())).isEqualTo(THING);
  }

  @Test
  void patchesByMergeAndWritesStatusByItself() {
    client.patchStatus(THINGS, "ns", "a", Map.of("status", Map.of("ready", true)));
    assertThat(server.lastAsked())
        .isEqualTo(
            new StubServer.Asked(
                "PATCH",
                "/clusters/root:org/apis/example.io/v1/namespaces/ns/things/a/status",
                "application/merge-patch+json",
                "Bearer sesame",
                "{\"status\":{\"ready\":true}}"));

    client.updateStatus(THINGS, THING);
    assertThat(server.lastAsked().target()).endsWith("/things/a/status");
  }

  @Test
  void refusesAnUpdateThatWouldOverwriteWhatItDidNotSee() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> client.update(THINGS, THING.without("metadata", "resourceVersion")))
        .withMessageContaining("needs the resource version");
    assertThat(server.asked()).isEmpty();
  }

  @Test
  void deletesOnConditions() {
    client.delete(SECRETS, "ns", "a", new DeleteCondition.Unchanged("u1", "7"));

    assertThat(server.lastAsked().method()).isEqualTo("DELETE");
    assertThat(KubeJson.readObject(server.lastAsked().body()).map("preconditions"))
        .isEqualTo(Map.of("uid", "u1", "resourceVersion", "7"));
  }

  @Test
  void keepsNamesInTheirPlaceInThePath() {
    client.find(
        new ResourceType("rbac.authorization.k8s.io", "v1", "clusterroles"), "", "a:b/../c?d");

    assertThat(server.lastAsked().target())
        .endsWith("/rbac.authorization.k8s.io/v1/clusterroles/a:b%2F..%2Fc%3Fd");
    assertThatIllegalArgumentException().isThrownBy(() -> client.find(THINGS, "..", "a"));
    assertThatIllegalArgumentException().isThrownBy(() -> client.find(THINGS, "ns", ""));
  }

  @Test
  void namesListItemsThatTheServerLeftNameless() {
    server.now(
        StubServer.replying(
            200,
            "application/json",
            """
            {"kind":"SecretList","apiVersion":"v1","metadata":{"resourceVersion":"9","continue":"x"},
             "items":[{"metadata":{"name":"a"}},{"kind":"Other","apiVersion":"v2","metadata":{}}]}\
            """));

    KubeList page =
        client.list(
            SECRETS,
            ListQuery.ALL.inNamespace("ns").withLabels("a in (b,c)").withLimit(2).after("y&z"));

    assertThat(page.items())
        .extracting(KubeObject::apiVersion, KubeObject::kind)
        .containsExactly(tuple("v1", "Secret"), tuple("v2", "Other"));
    assertThat(page.resourceVersion()).isEqualTo("9");
    assertThat(page.continueToken()).isEqualTo("x");
    assertThat(server.lastAsked().target())
        .endsWith(
            "/api/v1/namespaces/ns/secrets?labelSelector=a+in+%28b%2Cc%29&limit=2&continue=y%26z");
  }

  @Test
  void takesItemsThatAreNullForNone() {
    server.now(
        StubServer.replying(
            200,
            "application/json",
            "{\"kind\":\"SecretList\",\"metadata\":{\"resourceVersion\":\"9\"},\"items\":null}"));

    assertThat(client.list(SECRETS, ListQuery.ALL)).isEqualTo(new KubeList(List.of(), "9", ""));
    assertThat(client.scan(SECRETS, ListQuery.ALL, FieldMask.ALL, _ -> true)).isPresent();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"kind\":\"Status\",\"code\":200}", "{\"items\":\"none\"}"})
  void doesNotTakeAnotherAnswerForAnEmptyList(String answer) {
    server.now(StubServer.replying(200, "application/json", answer));

    assertFails(Kind.UNAVAILABLE, () -> client.list(SECRETS, ListQuery.ALL));
    assertFails(
        Kind.UNAVAILABLE, () -> client.scan(SECRETS, ListQuery.ALL, FieldMask.ALL, _ -> true));
  }

  @ParameterizedTest
  @CsvSource(
      textBlock =
          """
          400, BadRequest,            INVALID
          401, Unauthorized,          UNAUTHORIZED
          403, Forbidden,             FORBIDDEN
          405, MethodNotAllowed,      INVALID
          409, AlreadyExists,         ALREADY_EXISTS
          409, Conflict,              CONFLICT
          410, Expired,               GONE
          413, RequestEntityTooLarge, TOO_LARGE
          415, UnsupportedMediaType,  INVALID
          422, Invalid,               INVALID
          429, TooManyRequests,       UNAVAILABLE
          500, InternalError,         UNAVAILABLE
          503, ServiceUnavailable,    UNAVAILABLE
          504, Timeout,               UNAVAILABLE
          """)
  void classifiesRefusalsByTheirCode(int code, String reason, Kind kind) {
    server.now(status(code, reason, "said so", "{}"));

    assertThatThrownBy(() -> client.create(THINGS, THING))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(kind);
              assertThat(failure.code()).isEqualTo(code);
              assertThat(failure.reason()).isEqualTo(reason);
              assertThat(failure.askedAt()).contains(client.url());
            })
        .hasMessage(
            "POST "
                + server.url()
                + "/clusters/root:org/apis/example.io/v1/namespaces/ns/things: "
                + code
                + " said so");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "etcdserver: request is too large",
        "rpc error: code = ResourceExhausted desc = trying to send message larger than max (3 vs."
            + " 2)"
      })
  void knowsAnObjectThatIsTooLargeForTheStorage(String said) {
    server.now(status(500, "", said, "{}"));

    assertFails(Kind.TOO_LARGE, () -> client.create(THINGS, THING));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 403, 404, 409, 422})
  void knowsAWebhooksDenialByAnyCode(int code) {
    server.now(status(code, "", "admission webhook \\\"a.b\\\" denied the request: no", "{}"));

    assertFails(Kind.FORBIDDEN, () -> client.create(THINGS, THING));
  }

  @Test
  void tellsAMissingRightFromARefusalByAdmission() {
    assertThat(
            refusal(
                "things.example.io is forbidden: User \\\"me\\\" cannot create resource"
                    + " \\\"things\\\" in API group \\\"example.io\\\": access denied"))
        .matches(KubeFailure::isMissingRight);
    assertThat(refusal("forbidden: User \\\"me\\\" cannot get path \\\"/\\\""))
        .matches(KubeFailure::isMissingRight);
    for (String said :
        List.of(
            "things.example.io \\\"a\\\" is forbidden: exceeded quota: few",
            "admission webhook \\\"a.b\\\" denied the request: no",
            "")) {
      assertThat(refusal(said)).matches(failure -> !failure.isMissingRight());
    }
  }

  private KubeFailure refusal(String said) {
    server.now(status(403, "Forbidden", said, "{}"));
    return catchThrowableOfType(KubeFailure.class, () -> client.create(THINGS, THING));
  }

  @Test
  void tellsAnAbsentObjectFromEverythingElseThatIsNotFound() {
    server.now(
        status(
            404, "NotFound", "m", "{\"name\":\"a\",\"group\":\"example.io\",\"kind\":\"things\"}"));
    assertThat(client.find(THINGS, "ns", "a")).isEmpty();
    assertFails(Kind.NOT_SERVED, () -> client.list(THINGS, ListQuery.ALL));

    server.now(
        status(
            404,
            "NotFound",
            "m",
            "{\"name\":\"root:a\",\"group\":\"tenancy.kcp.io\",\"kind\":\"workspaces\"}"));
    assertFails(Kind.NOT_SERVED, () -> client.find(THINGS, "ns", "a"));

    server.now(status(404, "NotFound", "could not find the requested resource", "{}"));
    assertFails(Kind.NOT_SERVED, () -> client.find(SECRETS, "ns", "a"));

    server.now(StubServer.replying(404, "text/plain; charset=utf-8", "404 page not found\n"));
    assertFails(Kind.NOT_SERVED, () -> client.find(THINGS, "ns", "a"));

    server.now(status(404, "NotFound", "m", "{\"name\":\"ns\",\"kind\":\"namespaces\"}"));
    assertFails(Kind.NOT_FOUND, () -> client.create(THINGS, THING));
  }

  @Test
  void passesOnHowLongTheServerWantsToBeLeftAlone() {
    server.now(status(429, "TooManyRequests", "m", "{\"retryAfterSeconds\":3}"));
    assertThatThrownBy(() -> client.find(THINGS, "ns", "a"))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> assertThat(failure.retryAfter()).isEqualTo(Duration.ofSeconds(3)));
    assertThat(server.asked()).as("no second attempt").hasSize(1);
  }

  @Test
  void quotesNoBodyThatIsNotAStatus() {
    server.now(
        StubServer.replying(
            502, "application/json", "{\"kind\":\"Secret\",\"data\":{\"password\":\"hush\"}}"));

    assertThatThrownBy(() -> client.find(SECRETS, "ns", "a"))
        .hasMessageEndingWith("/namespaces/ns/secrets/a: 502 without a Status");
  }

  @Test
  void takesAnUnreadableAnswerForNoAnswer() {
    server.now(StubServer.replying(200, "application/json", "{\"kind\":\"Thing\""));

    assertFails(Kind.UNAVAILABLE, () -> client.find(THINGS, "ns", "a"));
  }

  @Test
  void saysWhenNoServerAnswers() {
    server.close();

    assertThatThrownBy(() -> client.find(THINGS, "ns", "a"))
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> {
              assertThat(failure.kind()).isEqualTo(Kind.UNAVAILABLE);
              assertThat(failure.code()).isZero();
            })
        .hasMessageContaining("GET " + server.url())
        .hasMessageContaining("no answer");
  }

  @Test
  void failsAsUsualOnceItsConnectionIsClosed() {
    connection.close();

    assertFails(Kind.UNAVAILABLE, () -> client.find(THINGS, "ns", "a"));
  }

  @Test
  void goesToOtherClustersOfTheSameServer() {
    assertThat(connection.server()).isEqualTo(URI.create(server.url() + "/clusters/root:org"));
    assertThat(connection.client(new LogicalCluster("abc")).url())
        .isEqualTo(URI.create(server.url() + "/clusters/abc"));
    assertThat(connection.client(new WorkspacePath("root:a:b")).url())
        .isEqualTo(URI.create(server.url() + "/clusters/root:a:b"));
    assertThat(
            connection
                .client(URI.create(server.url() + "/services/apiexport/x/y/clusters/*/"))
                .url())
        .isEqualTo(URI.create(server.url() + "/services/apiexport/x/y/clusters/*"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> connection.client(URI.create("ftp://elsewhere.example.io/")));
  }

  private static StubServer.Script status(int code, String reason, String message, String details) {
    return StubServer.replying(
        code,
        "application/json",
        """
        {"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure",
         "message":"%s","reason":"%s","details":%s,"code":%d}\
        """
            .formatted(message, reason, details, code));
  }

  private static void assertFails(Kind kind, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            KubeFailure.class, failure -> assertThat(failure.kind()).isEqualTo(kind));
  }

  @Test
  void scansAPageObjectByObject() {
    server.now(
        StubServer.replying(
            200,
            "application/json",
            """
            {"kind":"ThingList","metadata":{"resourceVersion":"9","continue":"next"},
             "items":[{"metadata":{"name":"a","uid":"1"}},{"metadata":{"name":"b","uid":"2"}}]}\
            """));
    var names = new ArrayList<KubeObject>();

    Optional<ListEnd> end =
        client.scan(
            THINGS,
            ListQuery.ALL.inNamespace("ns").withLimit(2).withFields("spec.ref=x"),
            FieldMask.of(List.of(List.of("metadata", "name"))),
            names::add);

    assertThat(end).contains(new ListEnd("9", "next", "", "Thing"));
    assertThat(names)
        .extracting(KubeObject::tree)
        .containsExactly(
            Map.of("metadata", Map.of("name", "a")), Map.of("metadata", Map.of("name", "b")));
    assertThat(server.lastAsked().target())
        .isEqualTo(
            "/clusters/root:org/apis/example.io/v1/namespaces/ns/things"
                + "?fieldSelector=spec.ref%3Dx&limit=2");
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void endsAScanWithoutHarmToTheRequestsThatFollow() {
    server.now((_, exchange) -> {
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, 0);
      try (OutputStream body = exchange.getResponseBody()) {
        body.write("{\"items\":[{\"metadata\":{\"name\":\"a\"}}".getBytes(StandardCharsets.UTF_8));
        body.flush();
        body.write(",{\"metadata\":{\"name\":\"b\"}}]}".getBytes(StandardCharsets.UTF_8));
      } catch (IOException leftByItsReader) {
        // That is what it is about.
      }
    });

    for (int i = 0; i < 500; i++) {
      assertThat(client.scan(THINGS, ListQuery.ALL, FieldMask.ALL, _ -> false)).isEmpty();
      assertThat(client.list(THINGS, ListQuery.ALL).items()).hasSize(2);
    }
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.MINUTES)
  void endsAScanWithItsReader() throws Exception {
    var writing = new CountDownLatch(1);
    var broken = new CountDownLatch(1);
    server.now((_, exchange) -> {
      exchange.sendResponseHeaders(200, 0);
      try (OutputStream body = exchange.getResponseBody()) {
        body.write("{\"items\":[{\"metadata\":{\"name\":\"a\"}}".getBytes(StandardCharsets.UTF_8));
        body.flush();
        writing.await();
        while (true) {
          body.write(",{\"metadata\":{\"name\":\"more\"}}".getBytes(StandardCharsets.UTF_8));
        }
      } catch (IOException | InterruptedException e) {
        broken.countDown();
      }
    });
    var names = new ArrayList<String>();

    assertThat(
            client.scan(
                THINGS,
                ListQuery.ALL,
                FieldMask.ALL,
                object -> {
                  names.add(object.name());
                  return false;
                }))
        .isEmpty();

    assertThat(names).containsExactly("a");
    writing.countDown();
    assertThat(broken.await(30, TimeUnit.SECONDS)).as("the server may stop").isTrue();
  }

  @Test
  void aScanThatIsRefusedOrBreaksOffFails() {
    server.now(
        StubServer.replying(
            403, "application/json", "{\"kind\":\"Status\",\"message\":\"access denied\"}"));
    assertFails(Kind.FORBIDDEN, () -> client.scan(THINGS, ListQuery.ALL, FieldMask.ALL, _ -> true));

    server.now((_, exchange) -> {
      exchange.sendResponseHeaders(200, 1_000);
      exchange.getResponseBody().write("{\"items\":[{}".getBytes(StandardCharsets.UTF_8));
      exchange.getResponseBody().flush();
      exchange.close();
    });
    assertFails(
        Kind.UNAVAILABLE, () -> client.scan(THINGS, ListQuery.ALL, FieldMask.ALL, _ -> true));
  }
}
