package dev.mooring.sandbox.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.mooring.sandbox.kube.Sandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** kubectl as people use it, each test in a namespace of its own; in kcp in the workspace root. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class KubectlContract {
  private static final Duration COMMAND_TIME_MAX = Duration.ofSeconds(60);
  private static final Duration SEEN_WITHIN = Duration.ofSeconds(30);

  private Path directory;
  private Sandbox sandbox;
  private String namespace;

  /** A running server with this root directory. */
  abstract Sandbox started(Path root);

  @BeforeAll
  void start(@TempDir Path root) throws IOException {
    directory = root;
    assumeTrue(Tools.works("kubectl", "version", "--client"), "skipped: kubectl is needed");
    sandbox = started(directory);
  }

  @AfterAll
  void stop() {
    if (sandbox != null) {
      sandbox.close();
    }
  }

  @BeforeEach
  void ownNamespace(TestInfo test) {
    namespace = test.getTestMethod().orElseThrow().getName().toLowerCase(java.util.Locale.ROOT);
    kubectl("create", "namespace", namespace);
  }

  @Test
  void appliesAndGets() throws IOException {
    Path manifest = manifest("configmap.yaml", configMap("settings", "blue"));

    assertThat(kubectl("apply", "-n", namespace, "-f", manifest.toString()))
        .contains("configmap/settings created");
    assertThat(kubectl("apply", "-n", namespace, "-f", manifest.toString()))
        .contains("configmap/settings unchanged");
    manifest("configmap.yaml", configMap("settings", "red"));
    assertThat(kubectl("apply", "-n", namespace, "-f", manifest.toString()))
        .contains("configmap/settings configured");
    assertThat(
            kubectl(
                "get", "configmap", "settings", "-n", namespace, "-o", "jsonpath={.data.color}"))
        .isEqualTo("red");
    assertThat(kubectl("get", "configmaps", "-n", namespace))
        .containsPattern("NAME +DATA +AGE")
        .containsPattern("settings +1 +");
  }

  @Test
  void appliesOnTheServer() throws IOException {
    String manifest = manifest("applied.yaml", configMap("applied", "blue")).toString();
    assertThat(kubectl("apply", "--server-side", "-n", namespace, "-f", manifest))
        .contains("configmap/applied serverside-applied");
    manifest("applied.yaml", configMap("applied", "red"));

    Tools.Run refused =
        Tools.run(
            COMMAND_TIME_MAX,
            command(
                "apply",
                "--server-side",
                "--field-manager=other",
                "-n",
                namespace,
                "-f",
                manifest));
    assertThat(refused.succeeded()).isFalse();
    assertThat(refused.output())
        .contains("Apply failed with 1 conflict: conflict with \"kubectl\": .data.color");

    kubectl(
        "apply",
        "--server-side",
        "--field-manager=other",
        "--force-conflicts",
        "-n",
        namespace,
        "-f",
        manifest);
    assertThat(
            kubectl("get", "configmap", "applied", "-n", namespace, "-o", "jsonpath={.data.color}"))
        .isEqualTo("red");
  }

  @Test
  void createsAndDeletes() {
    assertThat(kubectl("create", "configmap", "one", "-n", namespace, "--from-literal=a=b"))
        .contains("configmap/one created");
    assertThat(kubectl("delete", "configmap", "one", "-n", namespace))
        .contains("configmap \"one\" deleted");
    assertThat(kubectl("get", "configmaps", "-n", namespace, "-o", "name"))
        .doesNotContain("configmap/one");
  }

  @Test
  void waitsForACustomResource() throws IOException {
    Path crd = manifest("crd.yaml", CUSTOM_RESOURCE_DEFINITION);

    kubectl("apply", "-f", crd.toString());
    kubectl("wait", "--for=condition=Established", "crd/boats.harbour.example.io", "--timeout=30s");
    kubectl("apply", "-n", namespace, "-f", manifest("boat.yaml", BOAT).toString());

    assertThat(kubectl("get", "boats", "-n", namespace)).containsPattern("anna +12");
    assertThat(kubectl("wait", "--for=jsonpath={.spec.metres}=12", "boat/anna", "-n", namespace))
        .contains("condition met");
    kubectl("delete", "boat", "anna", "-n", namespace, "--wait=false");
    kubectl("wait", "--for=delete", "boat/anna", "-n", namespace, "--timeout=30s");
    assertThat(kubectl("api-resources", "--api-group=harbour.example.io")).contains("boats");
  }

  @Test
  void listsApiResources() {
    assertThat(kubectl("api-resources"))
        .containsPattern("configmaps +cm +v1 +true +ConfigMap")
        .containsPattern("clusterroles +rbac.authorization.k8s.io/v1 +false +ClusterRole");
  }

  @Test
  void explains() {
    assertThat(kubectl("explain", "roles.rules"))
        .containsPattern("KIND: +Role")
        .containsPattern("FIELD: rules <\\[]PolicyRule>")
        .containsPattern("verbs\t<\\[]string> -required-");
    assertThat(kubectl("explain", "resourcequotas.spec.hard")).containsPattern("FIELD: hard <");
  }

  @Test
  void watches() throws IOException, InterruptedException {
    Path seen = directory.resolve("watch.txt");
    Process watch =
        new ProcessBuilder(
                command("get", "configmaps", "-n", namespace, "--watch", "--output-watch-events"))
            .redirectErrorStream(true)
            .redirectOutput(seen.toFile())
            .start();
    try {
      await()
          .atMost(SEEN_WITHIN)
          .untilAsserted(() -> assertThat(Files.readString(seen)).contains("EVENT"));

      kubectl("create", "configmap", "late", "-n", namespace);
      kubectl("delete", "configmap", "late", "-n", namespace);

      await()
          .atMost(SEEN_WITHIN)
          .untilAsserted(() ->
              assertThat(Files.readString(seen))
                  .containsPattern("ADDED +late")
                  .containsPattern("DELETED +late"));
    } finally {
      watch.destroy();
      watch.waitFor();
    }
  }

  /** What it printed; fails the test if it fails. */
  @Test
  void saysThatThereIsNoSuchKind() throws IOException {
    Path manifest =
        manifest(
            "unknown.yaml",
            """
            apiVersion: nowhere.example.io/v1
            kind: Unknown
            metadata:
              name: a
            """);

    for (String verb : List.of("create", "apply", "replace")) {
      Tools.Run run =
          Tools.run(COMMAND_TIME_MAX, command(verb, "-n", namespace, "-f", manifest.toString()));

      assertThat(run.succeeded()).isFalse();
      assertThat(run.output())
          .as(verb)
          .contains("no matches for kind \"Unknown\" in version \"nowhere.example.io/v1\"");
    }
  }

  final String kubectl(String... arguments) {
    Tools.Run run = Tools.run(COMMAND_TIME_MAX, command(arguments));
    assertThat(run.exitStatus())
        .as("kubectl %s:%n%s", String.join(" ", arguments), run.output())
        .isZero();
    return run.output();
  }

  private List<String> command(String... arguments) {
    var command =
        new ArrayList<>(
            List.of(
                "kubectl",
                "--kubeconfig=" + sandbox.kubeconfigFile(),
                "--cache-dir=" + directory.resolve("kubectl-cache")));
    command.addAll(List.of(arguments));
    return command;
  }

  private Path manifest(String name, String content) throws IOException {
    return Files.writeString(directory.resolve(name), content);
  }

  private static String configMap(String name, String color) {
    return """
    apiVersion: v1
    kind: ConfigMap
    metadata:
      name: %s
    data:
      color: %s
    """
        .formatted(name, color);
  }

  private static final String BOAT =
      """
      apiVersion: harbour.example.io/v1
      kind: Boat
      metadata:
        name: anna
      spec:
        metres: 12
      """;

  private static final String CUSTOM_RESOURCE_DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata:
        name: boats.harbour.example.io
      spec:
        group: harbour.example.io
        scope: Namespaced
        names: {plural: boats, singular: boat, kind: Boat, listKind: BoatList}
        versions:
        - name: v1
          served: true
          storage: true
          additionalPrinterColumns:
          - {name: Metres, type: integer, jsonPath: .spec.metres}
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec:
                  type: object
                  required: [metres]
                  properties:
                    metres: {type: integer, minimum: 1}
      """;
}
