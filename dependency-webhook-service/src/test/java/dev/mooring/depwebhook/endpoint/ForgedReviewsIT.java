package dev.mooring.depwebhook.endpoint;

import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.MACHINES;
import static dev.mooring.depwebhook.endpoint.WebhookEnvironment.VPCS;
import static dev.mooring.runtime.testing.Eventually.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.signature.ReviewKeys;
import dev.mooring.runtime.signature.ReviewKeys.Unsigned;
import dev.mooring.runtime.signature.SigningKey;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Reviews posted over plain HTTPS by a client that reaches the webhook's port and is no API server:
 * it knows every name, but not the key that signs the URLs of webhook configurations.
 */
class ForgedReviewsIT extends OnWebhookEnvironment {
  private static final ResourceType EVENTS = ResourceType.core("events");
  private static final ResourceType LEASES =
      new ResourceType("coordination.k8s.io", "v1", "leases");
  private static final ResourceType SECRETS = ResourceType.core("secrets");
  private static final String NAMESPACE = "dependency-system";
  private static final SigningKey KEY = SigningKey.generate();
  private static final SigningKey OLD = SigningKey.generate();

  @TempDir private static Path directory;
  private static ConfigurableApplicationContext service;

  @BeforeAll
  static void starts() throws Exception {
    land = WebhookEnvironment.onSandbox(directory, 1);
    land.rule(
        land.compute,
        "raced",
        "raceProtection: strict",
        MACHINES,
        "{path: .spec.ref.name}",
        "vpcs");
    keep(land, NAMESPACE, keys(new Unsigned.Refused(new TreeSet<>())).data());
    service = land.serve(1);
    land.create(VPCS, "default", "shared", "");
    land.create(MACHINES, "default", "vm-shared", "shared");
    land.create(VPCS, "default", "free", "");
    land.create(VPCS, "default", "annotated", "");
    land.annotate(VPCS, "default", "annotated", DependencyRule.SKIP_PROTECTION, "true");
    land.create(VPCS, "default", "unknown", "");
    land.annotate(VPCS, "default", "unknown", DependencyRule.SKIP_PROTECTION, "true");
  }

  /** What a URL may say in place of a signature by a key of this installation. */
  static Stream<String> forgedSegments() {
    String signed = KEY.segment(network());
    return Stream.of(
        network().name(),
        SigningKey.generate().segment(network()),
        signed.substring(0, signed.length() - 1),
        signed.replaceFirst("^[^.]+", land.workspaces.cluster(land.compute).name()),
        KEY.segment(land.workspaces.cluster(land.compute))
            .replaceFirst("^[^.]+", network().name()));
  }

  @ParameterizedTest
  @MethodSource("forgedSegments")
  void aForgedNotificationLeavesNoEvent(String segment) throws Exception {
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "annotated", "mallory"));

    assertRefused(land.post(service, "/validate/" + segment + "/told", review));
    assertRefused(land.post(service, "/validate/" + segment + "/advised", review));

    // A notification that kcp sends after it leaves one, so an earlier one would be there by then.
    byte[] genuine = KubeJson.write(land.reviewOf(VPCS, "default", "annotated", "alice"));
    assertThat(
            land.post(service, "/validate/" + KEY.segment(network()) + "/told", genuine)
                .statusCode())
        .isEqualTo(200);
    await().untilAsserted(() -> assertThat(events("annotated")).isNotEmpty());
    assertThat(events("annotated")).noneMatch(message -> message.contains("mallory"));
  }

  /** A Secret that cannot be understood: the keys are there, but they are not known yet. */
  @Test
  void aForgedNotificationLeavesNoEventBeforeTheKeysAreKnown() throws Exception {
    land.workspaces.create(
        land.dependencies,
        """
        apiVersion: v1
        kind: Namespace
        metadata: {name: not-known}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: Role
        metadata: {name: reads-keys, namespace: not-known}
        rules:
        - {apiGroups: [""], resources: [secrets], verbs: [get]}
        ---
        apiVersion: rbac.authorization.k8s.io/v1
        kind: RoleBinding
        metadata: {name: reads-keys, namespace: not-known}
        roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reads-keys}
        subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: "mooring:dependency-webhook"}]
        """);
    keep(land, "not-known", Map.of("current", "bm8ga2V5"));
    ConfigurableApplicationContext unknowing =
        land.serve(1, "--mooring.dependency-webhook.certificate-namespace=not-known");
    byte[] forged = KubeJson.write(land.reviewOf(VPCS, "default", "unknown", "mallory"));
    byte[] genuine = KubeJson.write(land.reviewOf(VPCS, "default", "unknown", "alice"));

    assertRefused(land.post(unknowing, "/validate/" + network() + "/told", forged));

    String signed = "/validate/" + KEY.segment(network()) + "/told";
    assertThat(land.post(service, signed, genuine).statusCode()).isEqualTo(200);
    await().untilAsserted(() -> assertThat(events("unknown")).isNotEmpty());
    assertThat(events("unknown")).noneMatch(message -> message.contains("mallory"));
  }

  @ParameterizedTest
  @MethodSource("forgedSegments")
  void aForgedDeletionLeavesNoLeaseAndLearnsNothing(String segment) throws Exception {
    List<String> before = leases();
    for (String name : List.of("free", "shared")) {
      HttpResponse<byte[]> answer =
          land.post(
              service,
              "/validate/" + segment,
              KubeJson.write(land.reviewOf(VPCS, "default", name, "mallory")));

      assertRefused(answer);
      assertThat(text(answer)).doesNotContain("vm-shared");
    }
    assertThat(before).containsAll(leases());
  }

  @Test
  void aReviewWithoutAProviderIsRefusedToo() throws Exception {
    List<String> before = leases();
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "free", "mallory"));

    assertRefused(land.post(service, "/validate", review));
    assertRefused(land.post(service, "/validate?provider=" + network(), review));
    assertRefused(land.post(service, "/validate?provider=" + KEY.segment(network()), review));
    assertThat(before).containsAll(leases());
  }

  @Test
  void whatAnyKeyOfTheSecretSignedIsJudged() throws Exception {
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "shared", "system:admin"));

    for (SigningKey key : List.of(KEY, OLD)) {
      KubeObject answer =
          KubeJson.readObject(
              land.post(service, "/validate/" + key.segment(network()), review).body());
      assertThat(answer.at("response", "status", "code")).isEqualTo(403L);
      assertThat(answer.text("response", "status", "message"))
          .startsWith("cannot delete vpcs/shared: still referenced by ");
    }
  }

  /** Its controller signs with a new key as soon as the Secret has it. */
  @Test
  void aKeyThatWasJustAddedIsKnownToItsFirstReview() throws Exception {
    KubeClient client = land.workspaces.client(land.dependencies);
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "free", "system:admin"));
    KubeObject before = client.find(SECRETS, NAMESPACE, ReviewKeys.SECRET).orElseThrow();
    SigningKey added = SigningKey.generate();

    client.update(
        SECRETS,
        before.with(
            new ReviewKeys(added, Optional.of(KEY), new Unsigned.Refused(new TreeSet<>())).data(),
            "data"));
    HttpResponse<byte[]> answer =
        land.post(service, "/validate/" + added.segment(network()), review);

    assertThat(answer.statusCode()).as(text(answer)).isEqualTo(200);
    client.patch(
        SECRETS,
        NAMESPACE,
        ReviewKeys.SECRET,
        Map.of("data", keys(new Unsigned.Refused(new TreeSet<>())).data()));
  }

  /** Else a client without a key could have the webhook hold what it never sends. */
  @Test
  void isRefusedBeforeItsBodyHasCome() throws Exception {
    try (var request =
        SlowRequest.head(
            WebhookEnvironment.port(service),
            directory.resolve("tls/ca.crt"),
            "/validate/" + network(),
            6_000_000)) {
      assertThat(request.answer()).startsWith("HTTP/1.1 403").contains("Connection: close");
    }
  }

  /** It is given up, and its connection with it; others are answered meanwhile. */
  @Test
  void aBodyThatTricklesInIsGivenUp() throws Exception {
    byte[] review = KubeJson.write(land.reviewOf(VPCS, "default", "free", "system:admin"));
    String path = "/validate/" + KEY.segment(network()) + "?timeout=30s";
    try (var trickling =
        SlowRequest.partly(
            WebhookEnvironment.port(service),
            directory.resolve("tls/ca.crt"),
            path,
            6_000_000,
            review)) {
      await().pollInterval(Duration.ofMillis(200)).until(() -> !trickling.trickle());
    }
  }

  @Test
  void isCounted() throws Exception {
    double before = unsigned("refused");

    land.post(service, "/validate/" + network(), "{}".getBytes(StandardCharsets.UTF_8));

    assertThat(unsigned("refused")).isEqualTo(before + 1);
    assertThat(
            service
                .getBean(MeterRegistry.class)
                .get("mooring.dependency.webhook.signatures.required")
                .gauge()
                .value())
        .isOne();
  }

  private static double unsigned(String outcome) {
    return service
        .getBean(MeterRegistry.class)
        .get("mooring.dependency.webhook.reviews.unsigned")
        .tag("outcome", outcome)
        .counter()
        .count();
  }

  private static void assertRefused(HttpResponse<byte[]> answer) {
    assertThat(answer.statusCode()).as(text(answer)).isEqualTo(403);
  }

  private static String text(HttpResponse<byte[]> answer) {
    return new String(answer.body(), StandardCharsets.UTF_8);
  }

  private static LogicalCluster network() {
    return land.workspaces.cluster(land.network);
  }

  private static List<String> events(String name) {
    return land
        .workspaces
        .client(land.consumer)
        .list(EVENTS, ListQuery.ALL.inNamespace("default"))
        .items()
        .stream()
        .filter(event -> event.text("involvedObject", "name").equals(name))
        .map(event -> event.text("message"))
        .toList();
  }

  /** Names and versions: a sweep may take Leases away at any time, and adds none. */
  private static List<String> leases() {
    return land
        .workspaces
        .client(land.dependencies)
        .list(LEASES, ListQuery.ALL.inNamespace(NAMESPACE))
        .items()
        .stream()
        .map(lease -> lease.name() + " " + lease.resourceVersion())
        .toList();
  }

  private static ReviewKeys keys(Unsigned unsigned) {
    return new ReviewKeys(KEY, Optional.of(OLD), unsigned);
  }

  /** As the controller does. */
  static void keep(WebhookEnvironment land, String namespace, Map<String, ?> data) {
    KubeClient client = land.workspaces.client(land.dependencies);
    var secret = new HashMap<String, Object>();
    secret.put("apiVersion", "v1");
    secret.put("kind", "Secret");
    secret.put("metadata", Map.of("name", ReviewKeys.SECRET, "namespace", namespace));
    secret.put("data", data);
    client.create(SECRETS, KubeObject.of(secret));
  }
}
