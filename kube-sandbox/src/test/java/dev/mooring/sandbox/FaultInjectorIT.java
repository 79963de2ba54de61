package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.fault.FaultInjector;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FaultInjectorIT extends OnKubernetesSandbox {
  private static final String WEBHOOKS =
      "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations";
  private static final String MAPS = "/api/v1/namespaces/default/configmaps";

  @AfterEach
  void heal() {
    sandbox.faults().reset();
    sandbox.faults().affect(user -> true).slowest(Duration.ofMillis(100));
  }

  private FaultInjector faults() {
    return sandbox.faults();
  }

  private SandboxClient.Answer create(String name) {
    return client.post(MAPS, Map.of("metadata", Map.of("name", name)));
  }

  private SandboxClient.Answer label(String name, String value) {
    return client.patch(
        MAPS + "/" + name, "merge", Map.of("metadata", Map.of("labels", Map.of("a", value))));
  }

  @Test
  void refusesAWriteWithAConflict() {
    create("conflict");
    faults().inject(Fault.CONFLICT, 1);

    SandboxClient.Answer refused = label("conflict", "x");

    assertThat(refused.status()).isEqualTo(409);
    assertThat(refused.message())
        .startsWith(
            "Operation cannot be fulfilled on configmaps \"conflict\": the object has been");
    faults().reset();
    assertThat(client.get(MAPS + "/conflict").body().labels()).isEmpty();
  }

  @Test
  void administratorsSetFaultsOverHttp() {
    create("by-http");
    long before = faults().injected(Fault.CONFLICT);

    SandboxClient.Answer set = client.put("/faults", "{seed: 7, faults: {CONFLICT: 1}}");
    SandboxClient.Answer refused = label("by-http", "x");
    SandboxClient.Answer met = client.get("/faults");
    SandboxClient.Answer ended = client.delete("/faults");

    assertThat(set.body().at("faults")).isEqualTo(Map.of("CONFLICT", 1L));
    assertThat(refused.status()).isEqualTo(409);
    assertThat(met.body().at("injected", "CONFLICT")).isEqualTo(before + 1);
    assertThat(ended.body().map("faults")).isEmpty();
    assertThat(label("by-http", "x").status()).isEqualTo(200);
  }

  @Test
  void faultsOverHttpMeetTheNamedUsersAlone() {
    create("for-another");

    client.put("/faults", "{users: [another], faults: {CONFLICT: 1}}");

    assertThat(label("for-another", "x").status()).isEqualTo(200);
  }

  @Test
  void faultsAreForAdministratorsAlone() {
    String account = "/api/v1/namespaces/default/serviceaccounts/default";
    await().until(() -> client.get(account).status() == 200);
    String token =
        client
            .post(
                account + "/token",
                Map.of("kind", "TokenRequest", "apiVersion", "authentication.k8s.io/v1"))
            .body()
            .text("status", "token");

    SandboxClient.Answer refused = client.as(token).put("/faults", "{faults: {UNAVAILABLE: 1}}");

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.message())
        .contains(
            "User \"system:serviceaccount:default:default\" cannot use path \"/faults\": only");
    assertThat(faults().probabilities()).isEmpty();
  }

  @Test
  void faultsThatCannotBeReadChangeNothing() {
    client.put("/faults", "{faults: {CONFLICT: 0.5}}");

    assertThat(client.put("/faults", "{faults: {CONFLCT: 1}}").message())
        .startsWith("there is no fault CONFLCT, only [DROPPED_WATCH, ");
    assertThat(client.put("/faults", "{faults: {CONFLICT: 2}}").message())
        .isEqualTo("the probability of CONFLICT has to be from 0 to 1: 2.0");
    assertThat(client.put("/faults", "{faults: {CONFLICT: often}}").message())
        .isEqualTo("faults.CONFLICT has to be a number: often");
    assertThat(client.put("/faults", "{users: me}").message())
        .isEqualTo("users has to be a list of names: me");
    assertThat(client.put("/faults", "{slowest: 3}").message())
        .startsWith("slowest has to be like 500ms or 2s: 3");
    assertThat(client.put("/faults", "{chance: 1}").message())
        .isEqualTo("there are no fields [chance]");
    assertThat(client.put("/faults", "CONFLICT").status()).isEqualTo(400);
    assertThat(faults().probabilities()).isEqualTo(Map.of(Fault.CONFLICT, 0.5));
  }

  @Test
  void carriesOutAWriteWhoseAnswerIsLost() {
    faults().inject(Fault.LOST_RESPONSE, 1);

    assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> create("lost"));

    assertThat(client.get(MAPS + "/lost").status()).isEqualTo(200);
    assertThat(faults().injected(Fault.LOST_RESPONSE)).isEqualTo(1);
  }

  @Test
  void asksToComeBackLater() {
    faults().inject(Fault.TOO_MANY_REQUESTS, 1);
    SandboxClient.Answer throttled = client.get(MAPS);
    faults().reset();
    faults().inject(Fault.UNAVAILABLE, 1);
    SandboxClient.Answer unavailable = client.get(MAPS);

    assertThat(throttled.status()).isEqualTo(429);
    assertThat(throttled.retryAfter()).isEqualTo("1");
    assertThat(unavailable.status()).isEqualTo(503);
    assertThat(unavailable.retryAfter()).isEqualTo("1");
  }

  @Test
  void endsAWatchWithoutLosingItsEvents() {
    String version = client.get(MAPS).body().text("metadata", "resourceVersion");
    faults().inject(Fault.DROPPED_WATCH, 1);
    List<KubeObject> told;
    try (var events = client.watch(MAPS + "?watch=true&resourceVersion=" + version)) {
      create("dropped");
      told = events.toList();
    }
    faults().reset();

    assertThat(told).isEmpty();
    try (var events = client.watch(MAPS + "?watch=true&resourceVersion=" + version)) {
      assertThat(SandboxClient.brief(events.iterator(), 1)).containsExactly("ADDED dropped");
    }
  }

  @Test
  void tellsAWatchThatItsVersionIsTooOld() {
    String version = client.get(MAPS).body().text("metadata", "resourceVersion");
    faults().inject(Fault.EXPIRED, 1);

    try (var events = client.watch(MAPS + "?watch=true&resourceVersion=" + version)) {
      Iterator<KubeObject> event = events.iterator();
      KubeObject error = event.next();
      assertThat(error.text("type")).isEqualTo("ERROR");
      assertThat(error.at("object", "code")).isEqualTo(410L);
      assertThat(event.hasNext()).isFalse();
    }
  }

  @Test
  void listsFromBeforeOnlyWhereThatIsAllowed() {
    create("stale");
    faults().inject(Fault.STALE_LIST, 1);

    List<Object> newest = client.get(MAPS).body().list("items");
    List<Object> any = client.get(MAPS + "?resourceVersion=0").body().list("items");

    assertThat(newest).hasSizeGreaterThan(any.size());
  }

  @Test
  void comesLateButComes() {
    faults().inject(Fault.SLOW, 1);

    assertThat(client.get(MAPS).status()).isEqualTo(200);
    assertThat(faults().injected(Fault.SLOW)).isPositive();
  }

  @Test
  void leavesOtherUsersAlone() {
    faults().affect("somebody-else"::equals).inject(Fault.TOO_MANY_REQUESTS, 1);

    assertThat(client.get(MAPS).status()).isEqualTo(200);
  }

  @Test
  void drawsTheSameFaultsFromTheSameSeed() {
    assertThat(drawn(7)).isEqualTo(drawn(7)).isNotEqualTo(drawn(8)).contains(true, false);
  }

  private static List<Boolean> drawn(long seed) {
    FaultInjector injector = new FaultInjector().reseed(seed).inject(Fault.CONFLICT, 0.5);
    return IntStream.range(0, 64).mapToObj(i -> injector.shouldFail(Fault.CONFLICT, "u")).toList();
  }

  @Test
  void drawsTheSameFaultsWhateverOthersThereAre() {
    FaultInjector injector =
        new FaultInjector().reseed(7).inject(Fault.CONFLICT, 0.5).inject(Fault.SLOW, 0.5);

    List<Boolean> drawn =
        IntStream.range(0, 64)
            .mapToObj(i -> {
              injector.lateness(Fault.SLOW, "u");
              return injector.shouldFail(Fault.CONFLICT, "u");
            })
            .toList();

    assertThat(drawn).isEqualTo(drawn(7));
  }

  @Test
  void makesAWebhookMissItsTimeoutAndThePolicyDecides(@TempDir Path directory) throws Exception {
    try (var webhook = new CountingWebhook(directory)) {
      client.post(WEBHOOKS, webhook.configuration("fails", "Fail"));
      assertThat(create("reviewed").status()).isEqualTo(201);
      assertThat(webhook.reviews()).isEqualTo(1);
      faults().inject(Fault.SLOW_WEBHOOK, 1).slowest(Duration.ofDays(1));

      SandboxClient.Answer refused = create("too-late");

      assertThat(refused.status()).isEqualTo(500);
      assertThat(refused.message()).endsWith("context deadline exceeded");
      client.delete(WEBHOOKS + "/fails");
      client.post(WEBHOOKS, webhook.configuration("ignored", "Ignore"));
      assertThat(create("let-in").status()).isEqualTo(201);
      assertThat(faults().injected(Fault.SLOW_WEBHOOK)).isEqualTo(2);
      assertThat(webhook.reviews()).isEqualTo(1);
    } finally {
      client.delete(WEBHOOKS + "/fails");
      client.delete(WEBHOOKS + "/ignored");
    }
  }

  @Test
  void makesAWebhookLateWithinItsTimeout(@TempDir Path directory) throws Exception {
    try (var webhook = new CountingWebhook(directory)) {
      client.post(WEBHOOKS, webhook.configuration("late", "Fail"));
      faults().inject(Fault.SLOW_WEBHOOK, 1).slowest(Duration.ofMillis(1));

      assertThat(create("late").status()).isEqualTo(201);

      assertThat(webhook.reviews()).isEqualTo(1);
    } finally {
      client.delete(WEBHOOKS + "/late");
    }
  }

  @Test
  void takesProbabilitiesOnly() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FaultInjector().inject(Fault.SLOW, 1.5))
        .withMessage("the probability of SLOW has to be from 0 to 1: 1.5");
  }
}
