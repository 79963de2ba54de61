package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Quotas of plain Kubernetes, each test in a namespace of its own. */
class LimitsIT extends OnKubernetesSandbox {
  private static final Duration SEEN_WITHIN = Duration.ofSeconds(30);

  private String namespace;

  @BeforeEach
  void ownNamespace(TestInfo test) {
    String name = test.getTestMethod().orElseThrow().getName().toLowerCase(java.util.Locale.ROOT);
    client.post("/api/v1/namespaces", Map.of("metadata", Map.of("name", name)));
    namespace = "/api/v1/namespaces/" + name + "/";
  }

  private SandboxClient.Answer create(String resource, String name) {
    return client.post(namespace + resource, Map.of("metadata", Map.of("name", name)));
  }

  private void limit(Map<String, Object> hard) {
    client.post(
        namespace + "resourcequotas",
        Map.of("metadata", Map.of("name", "few"), "spec", Map.of("hard", hard)));
  }

  private Object used(String name) {
    return client.get(namespace + "resourcequotas/few").body().at("status", "used", name);
  }

  @Test
  void refusesSecretsBeyondTheQuota() {
    limit(Map.of("secrets", "1", "count/secrets", "5"));

    assertThat(create("secrets", "a").status()).isEqualTo(201);
    SandboxClient.Answer refused = create("secrets", "b");

    assertThat(refused.status()).isEqualTo(403);
    assertThat(refused.message())
        .isEqualTo(
            "secrets \"b\" is forbidden: exceeded quota: few, requested: secrets=1, used:"
                + " secrets=1, limited: secrets=1");
    assertThat(create("configmaps", "b").status()).isEqualTo(201);
    await()
        .atMost(SEEN_WITHIN)
        .untilAsserted(() -> assertThat(used("count/secrets")).isEqualTo("1"));
  }

  @Test
  void letsInAnotherOnceOneIsGone() {
    limit(Map.of("secrets", "1"));
    create("secrets", "a");
    assertThat(create("secrets", "b").status()).isEqualTo(403);

    client.delete(namespace + "secrets/a");

    await()
        .atMost(SEEN_WITHIN)
        .untilAsserted(() -> assertThat(create("secrets", "b").status()).isEqualTo(201));
  }

  @Test
  void countsWhatWasThereBefore() {
    create("secrets", "a");
    limit(Map.of("count/secrets", "1"));

    assertThat(create("secrets", "b").status()).isEqualTo(403);
  }

  @Test
  void countsWhatManyCreateAtATime() throws Exception {
    limit(Map.of("secrets", "10"));
    var running = new ArrayList<Future<Integer>>();
    try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
      for (int i = 0; i < 40; i++) {
        String name = "s" + i;
        running.add(threads.submit(() -> create("secrets", name).status()));
      }
    }
    var statuses = new ArrayList<Integer>();
    for (Future<Integer> one : running) {
      statuses.add(one.get());
    }

    assertThat(statuses).containsOnly(201, 403);
    // A recount may come between a create's being counted and its being stored.
    assertThat(statuses.stream().filter(status -> status == 201)).hasSizeBetween(10, 18);
  }

  @Test
  void countsNothingForADryRun() {
    limit(Map.of("secrets", "1"));

    for (String name : List.of("a", "b")) {
      var dry =
          client.post(namespace + "secrets?dryRun=All", Map.of("metadata", Map.of("name", name)));
      assertThat(dry.status()).isEqualTo(201);
    }
    assertThat(create("secrets", "a").status()).isEqualTo(201);
  }
}
