package dev.mooring.sandbox.server;

import dev.mooring.sandbox.security.certificate.KubeconfigContext;
import dev.mooring.sandbox.security.certificate.TrustedAuthorities;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A run of the program for the JVM to learn from: it starts, is asked what its users ask most, and
 * ends. An image's AOT cache that is made in it holds the classes of these requests, and which
 * methods to compile first.
 */
final class Rehearsal {
  private static final int OBJECTS = 1_000;
  private static final int LISTS = 40;
  private static final int CONSUMERS = 20;
  private static final String JSON = "application/json";
  private static final String TYPES =
      "/clusters/root:rehearsal/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

  private static final String THINGS =
      "/clusters/root:rehearsal/apis/rehearsal.mooring.dev/v1/namespaces/default/things";

  private static final String WORKSPACES = "/clusters/root/apis/tenancy.kcp.io/v1alpha1/workspaces";

  private static final String WORKSPACE =
      """
      {"apiVersion": "tenancy.kcp.io/v1alpha1", "kind": "Workspace", "metadata": {"name": "%s"}}
      """;

  private static final String APIS = "/apis/apis.kcp.io/v1alpha2/";

  private static final String SCHEMA =
      """
      {"apiVersion": "apis.kcp.io/v1alpha1", "kind": "APIResourceSchema",
       "metadata": {"name": "v1.parts.rehearsal.mooring.dev"},
       "spec": {"group": "rehearsal.mooring.dev", "scope": "Cluster",
         "names": {"plural": "parts", "singular": "part", "kind": "Part", "listKind": "PartList"},
         "versions": [{"name": "v1", "served": true, "storage": true, "schema": {
           "type": "object", "properties": {"spec": {"type": "object", "properties": {
             "count": {"type": "integer"}}}}}}]}}
      """;

  private static final String EXPORT =
      """
      {"apiVersion": "apis.kcp.io/v1alpha2", "kind": "APIExport", "metadata": {"name": "parts"},
       "spec": {"resources": [{"group": "rehearsal.mooring.dev", "name": "parts",
         "schema": "v1.parts.rehearsal.mooring.dev", "storage": {"crd": {}}}]}}
      """;

  private static final String BINDING =
      """
      {"apiVersion": "apis.kcp.io/v1alpha2", "kind": "APIBinding", "metadata": {"name": "parts"},
       "spec": {"reference": {"export": {"path": "root:rehearsal", "name": "parts"}}}}
      """;

  private static final String PART =
      """
      {"apiVersion": "rehearsal.mooring.dev/v1", "kind": "Part", "metadata": {"name": "part"},
       "spec": {"count": 1}}
      """;

  private static final String TYPE =
      """
      {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
       "metadata": {"name": "things.rehearsal.mooring.dev"},
       "spec": {"group": "rehearsal.mooring.dev", "scope": "Namespaced",
         "names": {"plural": "things", "singular": "thing", "kind": "Thing", "listKind": "ThingList"},
         "versions": [{"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": {
           "type": "object", "properties": {"spec": {"type": "object", "properties": {
             "count": {"type": "integer"},
             "lines": {"type": "array", "items": {"type": "string"}}}}}}}}]}}
      """;

  private static final String THING =
      """
      {"apiVersion": "rehearsal.mooring.dev/v1", "kind": "Thing",
       "metadata": {"name": "thing-%1$d", "labels": {"group": "%1$d"}},
       "spec": {"count": %1$d, "lines": ["%2$s", "%2$s", "%2$s", "%2$s"]}}
      """;

  private static final String LINE =
      "A line of some length, so that an object has the size that many objects have: about 1 KiB.";

  private final HttpClient client;
  private final URI server;
  private final String token;

  private Rehearsal(KubeconfigContext context) {
    String authority = context.certificateAuthority().orElseThrow();
    client = HttpClient.newBuilder().sslContext(TrustedAuthorities.context(authority)).build();
    server = context.server();
    token = context.token().orElseThrow();
  }

  /**
   * @param arguments a directory that does not exist yet
   */
  public static void main(String[] arguments) throws Exception {
    Path root = Path.of(arguments[0]);
    Thread.ofPlatform()
        .start(() ->
            SandboxProgram.main(
                new String[] {"start", "--root-directory", root.toString(), "--secure-port", "0"}));
    Path kubeconfig = root.resolve("admin.kubeconfig");
    while (!Files.isRegularFile(kubeconfig)) {
      Thread.sleep(10);
    }
    try {
      new Rehearsal(KubeconfigContext.read(kubeconfig)).perform();
    } catch (RuntimeException e) {
      System.err.println(e.getMessage());
      // Without the cache, which a run that ends in order writes.
      Runtime.getRuntime().halt(1);
    }
    System.exit(0);
  }

  private void perform() throws IOException, InterruptedException {
    workspace("rehearsal");
    send("POST", TYPES, JSON, TYPE);
    for (int i = 0; i < OBJECTS; i++) {
      send("POST", THINGS, JSON, THING.formatted(i, LINE));
      send(
          "PATCH",
          THINGS + "/thing-" + i,
          "application/merge-patch+json",
          "{\"spec\": {\"count\": 0}}");
      send("GET", THINGS + "/thing-" + i, JSON, "");
    }
    for (int i = 0; i < LISTS; i++) {
      send("GET", THINGS, JSON, "");
      send("GET", THINGS + "?limit=500", JSON, "");
      send("GET", THINGS + "?labelSelector=group%3D" + i, JSON, "");
    }
    send("DELETE", THINGS, JSON, "");
    String provider = "/clusters/root:rehearsal";
    send("POST", provider + "/apis/apis.kcp.io/v1alpha1/apiresourceschemas", JSON, SCHEMA);
    send("POST", provider + APIS + "apiexports", JSON, EXPORT);
    for (int i = 0; i < CONSUMERS; i++) {
      consume("consumer-" + i);
    }
  }

  private void consume(String name) throws IOException, InterruptedException {
    workspace(name);
    String consumer = "/clusters/root:" + name;
    send("POST", consumer + APIS + "apibindings", JSON, BINDING);
    await(consumer + APIS + "apibindings/parts", "\"phase\":\"Bound\"");
    send("POST", consumer + "/apis/rehearsal.mooring.dev/v1/parts", JSON, PART);
    send("GET", consumer + "/apis/rehearsal.mooring.dev/v1/parts", JSON, "");
  }

  private void workspace(String name) throws IOException, InterruptedException {
    send("POST", WORKSPACES, JSON, WORKSPACE.formatted(name));
    await(WORKSPACES + "/" + name, "\"phase\":\"Ready\"");
  }

  private void await(String path, String part) throws IOException, InterruptedException {
    while (!send("GET", path, JSON, "").contains(part)) {
      Thread.sleep(10);
    }
  }

  private String send(String method, String path, String type, String body)
      throws IOException, InterruptedException {
    var answer =
        client.send(
            HttpRequest.newBuilder(server.resolve(path))
                .header("Authorization", "Bearer " + token)
                .header("Content-Type", type)
                .method(method, BodyPublishers.ofString(body))
                .build(),
            BodyHandlers.ofString());
    if (answer.statusCode() / 100 != 2) {
      throw new IllegalStateException(method + " " + path + ": " + answer.body());
    }
    return answer.body();
  }
}
