package dev.mooring.sandbox;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.SandboxClient.Answer;
import dev.mooring.sandbox.crd.Definitions;
import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.KubeSandbox;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.http.HttpClient.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** The sandbox as a plain Kubernetes API server, asked over HTTPS. */
class KubernetesModeIT extends OnKubernetesSandbox {
  @TempDir static Path directory;

  // A namespace of its own for each test.
  private final String namespace = "n-" + UUID.randomUUID().toString().substring(0, 8);
  private final String configMaps = "/api/v1/namespaces/" + namespace + "/configmaps";
  private final String secrets = "/api/v1/namespaces/" + namespace + "/secrets";

  @BeforeEach
  void createNamespace() {
    client.post("/api/v1/namespaces", Map.of("metadata", Map.of("name", namespace)));
  }

  private static Map<String, Object> named(String name) {
    return Map.of("metadata", Map.of("name", name));
  }

  private static List<String> names(Answer list) {
    return list.body().list("items").stream()
        .map(item -> Trees.textOrEmpty(Trees.at(item, "metadata", "name")))
        .toList();
  }

  @Test
  void saysWhatIsMissing() {
    Answer answer = client.get(secrets + "/none");

    assertThat(answer.status()).isEqualTo(404);
    assertThat(answer.message()).isEqualTo("secrets \"none\" not found");
  }

  @ParameterizedTest
  @EnumSource(Version.class)
  void takesLongUrls(Version version) {
    String values = "x,".repeat(100_000) + "y";
    SandboxClient own = client.over(version);

    Answer answer = own.get(configMaps + "?labelSelector=a%20in%20(" + values + ")");

    assertThat(answer.status()).isEqualTo(200);
    own.leave();
  }

  @ParameterizedTest
  @CsvSource({"/api/%zz, 400 Bad Request", "LONG, 431 Request Header Fields Too Large"})
  void answersInPlainTextWhatIsNoRequest(String path, String expected) throws Exception {
    String sent = path.replace("LONG", "/api?" + "x".repeat(1 << 20));
    try (SSLSocket connection = client.connection(sent, Duration.ofSeconds(20))) {
      String answer = new String(connection.getInputStream().readAllBytes(), UTF_8);

      assertThat(answer)
          .startsWith("HTTP/1.1 " + expected)
          .contains("Content-Type: text/plain; charset=utf-8")
          .endsWith("\r\n\r\n" + expected);
    }
  }

  @Test
  void saysThatItSpeaksHttpsToAClientOfPlainHttp() throws Exception {
    try (var connection = new Socket(sandbox.url().getHost(), sandbox.url().getPort())) {
      connection.setSoTimeout(20_000);
      connection.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(UTF_8));

      assertThat(new String(connection.getInputStream().readAllBytes(), UTF_8))
          .isEqualTo(
              "HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n");
    }
  }

  @Test
  void refusesAWriteOfAnOldVersion() {
    KubeObject read = client.post(secrets, named("s")).body();
    client.patch(secrets + "/s", "merge", Map.of("stringData", Map.of("k", "v")));

    Answer stale = client.put(secrets + "/s", read.with(Map.of("k", "eA=="), "data"));

    assertThat(stale.status()).isEqualTo(409);
    assertThat(stale.message()).contains("the object has been modified");
  }

  @Test
  void servesPagesOfOneVersion() {
    for (String name : List.of("a", "b", "c")) {
      client.post(secrets, named(name));
    }
    Answer first = client.get(secrets + "?limit=2");
    client.delete(secrets + "/c");

    Answer second =
        client.get(secrets + "?limit=2&continue=" + first.body().text("metadata", "continue"));

    assertThat(names(first)).containsExactly("a", "b");
    assertThat(first.body().at("metadata", "remainingItemCount")).isEqualTo(1L);
    assertThat(names(second)).containsExactly("c");
    assertThat(second.body().resourceVersion()).isEqualTo(first.body().resourceVersion());
  }

  @Test
  void watchesFromAListOn() {
    client.post(secrets, named("before"));
    String version = client.get(secrets).body().resourceVersion();
    try (var events = client.watch(secrets + "?watch=true&resourceVersion=" + version)) {
      client.post(secrets, named("s"));
      client.patch(secrets + "/s", "merge", Map.of("stringData", Map.of("k", "v")));
      client.delete(secrets + "/s");

      assertThat(SandboxClient.brief(events.iterator(), 3))
          .containsExactly("ADDED s", "MODIFIED s", "DELETED s");
    }
  }

  @Test
  void closesAWatchInTime() {
    client.post(secrets, named("s"));
    try (var events = client.watch(secrets + "?watch=true&timeoutSeconds=1")) {
      assertThat(events).hasSize(1);
    }
  }

  @Test
  void keepsAnObjectUntilItsLastFinalizerGoes() {
    client.post(
        configMaps,
        Map.of("metadata", Map.of("name", "held", "finalizers", List.of("example.com/hold"))));

    Answer deleting = client.delete(configMaps + "/held");
    Answer released =
        client.patch(
            configMaps + "/held",
            "json",
            List.of(Map.of("op", "remove", "path", "/metadata/finalizers")));

    assertThat(deleting.body().deleting()).isTrue();
    assertThat(released.status()).isEqualTo(200);
    assertThat(client.get(configMaps + "/held").status()).isEqualTo(404);
  }

  @Test
  void mergesListsOfBuiltInsByTheirKeys() {
    String accounts = "/api/v1/namespaces/" + namespace + "/serviceaccounts";
    client.post(
        accounts,
        Map.of("metadata", Map.of("name", "sa"), "secrets", List.of(Map.of("name", "one"))));

    Answer merged =
        client.patch(
            accounts + "/sa", "strategic-merge", Map.of("secrets", List.of(Map.of("name", "two"))));

    assertThat(merged.body().list("secrets"))
        .containsExactly(Map.of("name", "two"), Map.of("name", "one"));
  }

  @Test
  void collectsWhatHasLostItsOwner() {
    String uid = client.post(configMaps, named("owner")).body().uid();
    var reference = Map.of("apiVersion", "v1", "kind", "ConfigMap", "name", "owner", "uid", uid);
    client.post(
        secrets,
        Map.of("metadata", Map.of("name", "dependent", "ownerReferences", List.of(reference))));

    client.delete(configMaps + "/owner");

    await().until(() -> client.get(secrets + "/dependent").status() == 404);
  }

  @Test
  void waitsForBlockingDependentsInTheForeground() {
    String uid = client.post(configMaps, named("owner")).body().uid();
    var reference =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "ConfigMap",
            "name",
            "owner",
            "uid",
            uid,
            "blockOwnerDeletion",
            true);
    client.post(
        secrets,
        Map.of(
            "metadata",
            Map.of(
                "name", "dependent",
                "finalizers", List.of("example.com/hold"),
                "ownerReferences", List.of(reference))));

    client.delete(configMaps + "/owner?propagationPolicy=Foreground");
    await().until(() -> client.get(secrets + "/dependent").body().deleting());
    int whileBlocked = client.get(configMaps + "/owner").status();
    client.patch(
        secrets + "/dependent",
        "json",
        List.of(Map.of("op", "remove", "path", "/metadata/finalizers")));

    assertThat(whileBlocked).isEqualTo(200);
    await().until(() -> client.get(configMaps + "/owner").status() == 404);
  }

  @Test
  void fillsAndEmptiesNamespaces() {
    String accounts = "/api/v1/namespaces/" + namespace + "/serviceaccounts";
    await().until(() -> client.get(accounts + "/default").status() == 200);
    client.post(secrets, named("s"));

    Answer going = client.delete("/api/v1/namespaces/" + namespace);

    assertThat(going.body().text("status", "phase")).isEqualTo("Terminating");
    await().until(() -> client.get("/api/v1/namespaces/" + namespace).status() == 404);
    assertThat(names(client.get(secrets))).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "nginx, Always",
    "registry.test:5000/nginx, Always",
    "nginx:latest, Always",
    "nginx:1.2, IfNotPresent",
    "nginx@sha256:ab, IfNotPresent"
  })
  void pullsImagesThatMayChange(String image, String policy) {
    Answer made =
        client.post(
            "/apis/apps/v1/namespaces/" + namespace + "/deployments",
            Definitions.object(
                """
                metadata: {name: d}
                spec:
                  selector: {matchLabels: {a: b}}
                  template:
                    metadata: {labels: {a: b}}
                    spec: {containers: [{name: c, image: '%s'}]}
                """
                    .formatted(image)));

    assertThat(made.status()).isEqualTo(201);
    assertThat(made.body().list("spec", "template", "spec", "containers"))
        .singleElement()
        .satisfies(
            container -> assertThat(Trees.at(container, "imagePullPolicy")).isEqualTo(policy));
  }

  private void defineGadgets(String group) {
    client.post(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        Definitions.object(
            """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: gadgets.%s}
            spec:
              group: %s
              scope: Namespaced
              names: {plural: gadgets, kind: Gadget}
              versions:
              - name: v1
                served: true
                storage: true
                schema:
                  openAPIV3Schema:
                    type: object
                    properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """
                .formatted(group, group)));
  }

  @Test
  void servesCustomResources() {
    defineGadgets("it.example.com");
    String gadgets = "/apis/it.example.com/v1/namespaces/" + namespace + "/gadgets";
    var gadget =
        Map.<String, Object>of(
            "apiVersion",
            "it.example.com/v1",
            "kind",
            "Gadget",
            "metadata",
            Map.of("name", "g"),
            "spec",
            Map.of("size", 1));

    await().until(() -> client.post(gadgets, gadget).status() == 201);

    assertThat(client.get(gadgets + "/g").body().at("spec", "size")).isEqualTo(1L);
    assertThat(client.get(gadgets + "/g").body().generation()).isEqualTo(1);
  }

  /** Even if the first request is a write. */
  @Test
  void hasNoHistoryFromBeforeACustomResource() {
    defineGadgets("past.example.com");
    String gadgets = "/apis/past.example.com/v1/namespaces/" + namespace + "/gadgets";
    var gadget =
        Map.<String, Object>of(
            "apiVersion", "past.example.com/v1", "kind", "Gadget", "metadata", Map.of("name", "g"));
    await().until(() -> client.post(gadgets, gadget).status() == 201);

    try (var events = client.watch(gadgets + "?watch=true&resourceVersion=1")) {
      KubeObject first = events.iterator().next();

      assertThat(first.text("type")).isEqualTo("ERROR");
      assertThat(first.at("object", "code")).isEqualTo(410L);
    }
  }

  @Test
  void saysWhichPortIsTaken() {
    int taken = sandbox.url().getPort();

    assertThatExceptionOfType(UncheckedIOException.class)
        .isThrownBy(
            () -> KubeSandbox.start(KubeOptions.in(directory.resolve("other")).withPort(taken)))
        .withMessageContaining("cannot listen on 127.0.0.1:" + taken);
  }

  @Test
  void goesOnWhereItsDataDirectoryEnds() throws Exception {
    KubeOptions options =
        KubeOptions.in(directory.resolve("kept")).withData(directory.resolve("data"), freePort());
    String kept = "/api/v1/namespaces/default/configmaps";
    KubeObject before;
    try (var first = KubeSandbox.start(options)) {
      SandboxClient admin = SandboxClient.of(first, "kubernetes-admin");
      admin.post(kept, named("a"));
      before = admin.get(kept + "/a").body();
    }

    try (var second = KubeSandbox.start(options)) {
      SandboxClient admin = SandboxClient.of(second, "kubernetes-admin");

      assertThat(admin.get(kept + "/a").body()).isEqualTo(before);
      assertThat(admin.post(kept, named("b")).status()).isEqualTo(201);
      assertThat(names(admin.get("/api/v1/namespaces"))).containsExactly("default", "kube-system");
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0)) {
      return socket.getLocalPort();
    }
  }

  @Test
  void endsWatchesWhenItStops() throws Exception {
    var options = KubeOptions.in(directory.resolve("stopping"));
    var ended = new CompletableFuture<Void>();
    try (var stopping = KubeSandbox.start(options)) {
      var events =
          SandboxClient.of(stopping, "kubernetes-admin")
              .watch("/api/v1/namespaces?watch=true")
              .iterator();
      assertThat(SandboxClient.brief(events, 2))
          .containsExactly("ADDED default", "ADDED kube-system");
      Thread.ofVirtual()
          .start(() -> {
            try {
              events.forEachRemaining(_ -> {});
            } catch (UncheckedIOException broken) {
              // A connection that breaks off is an end as well.
            } finally {
              ended.complete(null);
            }
          });
    }

    await().until(ended::isDone);
  }

  @Test
  void writesTheKubeconfigIntoItsRootDirectory() throws Exception {
    assertThat(Files.readString(sandbox.kubeconfigFile())).isEqualTo(sandbox.kubeconfig());
    assertThat(sandbox.kubeconfig()).contains("server: " + sandbox.url());
  }
}
