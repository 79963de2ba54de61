package dev.mooring.sandbox;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kube.Sandbox;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.awaitility.Awaitility;
import org.yaml.snakeyaml.Yaml;

/** A client of a sandbox, with the credentials of one of its kubeconfig's users. */
public final class SandboxClient {
  static {
    // What takes several controllers takes more than Awaitility's ten seconds on a busy machine.
    Awaitility.setDefaultTimeout(Duration.ofMinutes(1));
  }

  private final HttpClient http;
  private final URI server;
  private final String token;

  /** An answer as it came; a body that is no JSON is left out. */
  public record Answer(int status, KubeObject body, String retryAfter) {
    public String message() {
      return body.text("message");
    }
  }

  private SandboxClient(HttpClient http, URI server, String token) {
    this.http = http;
    this.server = server;
    this.token = token;
  }

  /**
   * @param user as named in the kubeconfig
   */
  public static SandboxClient of(Sandbox sandbox, String user) {
    return of(sandbox.kubeconfig(), sandbox.url(), user);
  }

  /**
   * @param server without a path
   */
  static SandboxClient of(String kubeconfig, URI server, String user) {
    Map<?, ?> config = new Yaml().load(kubeconfig);
    String token = null;
    for (Object entry : (List<?>) config.get("users")) {
      Map<?, ?> named = (Map<?, ?>) entry;
      if (user.equals(named.get("name"))) {
        token = (String) ((Map<?, ?>) named.get("user")).get("token");
      }
    }
    Map<?, ?> cluster = (Map<?, ?>) ((List<?>) config.get("clusters")).getFirst();
    String authority =
        (String) ((Map<?, ?>) cluster.get("cluster")).get("certificate-authority-data");
    HttpClient http =
        HttpClient.newBuilder()
            .sslContext(trusting(Base64.getDecoder().decode(authority)))
            .version(HttpClient.Version.HTTP_1_1)
            .build();
    return new SandboxClient(http, server, token);
  }

  /** The same user at another address of the same server. */
  SandboxClient at(URI other) {
    return new SandboxClient(http, other, token);
  }

  /** Another user at the same address. */
  SandboxClient with(String otherToken) {
    return new SandboxClient(http, server, otherToken);
  }

  /** A client without credentials at the same address. */
  SandboxClient anonymous() {
    return with("");
  }

  /** Another user, at the same address. */
  SandboxClient as(String otherToken) {
    return new SandboxClient(http, server, otherToken);
  }

  /** The same user over connections of its own, until it is {@linkplain #leave ended}. */
  SandboxClient over(HttpClient.Version version) {
    HttpClient own = HttpClient.newBuilder().sslContext(http.sslContext()).version(version).build();
    return new SandboxClient(own, server, token);
  }

  /** Ends all connections at once, watches included. */
  void leave() {
    http.shutdownNow();
  }

  /** The body of a GET, as text. */
  String text(String path) {
    try {
      return http.send(request(path).build(), BodyHandlers.ofString()).body();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static SSLContext trusting(byte[] authority) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setCertificateEntry(
          "sandbox",
          CertificateFactory.getInstance("X.509")
              .generateCertificate(new ByteArrayInputStream(authority)));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(server.resolve(path)).header("Authorization", "Bearer " + token);
  }

  private Answer send(HttpRequest request) {
    try {
      HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
      return new Answer(
          response.statusCode(),
          isJson(response) ? KubeJson.readObject(response.body()) : KubeObject.of(Map.of()),
          response.headers().firstValue("Retry-After").orElse(""));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static boolean isJson(HttpResponse<?> response) {
    return response.headers().firstValue("Content-Type").orElse("").contains("json");
  }

  public Answer get(String path) {
    return send(request(path).build());
  }

  /** A GET with one more header. */
  Answer get(String path, String header, String value) {
    return send(request(path).header(header, value).build());
  }

  public Answer post(String path, KubeObject body) {
    return post(path, body.tree());
  }

  Answer post(String path, Map<String, Object> body) {
    return with("POST", path, "application/json", body);
  }

  Answer put(String path, KubeObject body) {
    return with("PUT", path, "application/json", body.tree());
  }

  /** Of a document in YAML. */
  Answer put(String path, String body) {
    return send(
        request(path)
            .header("Content-Type", "application/yaml")
            .PUT(BodyPublishers.ofString(body))
            .build());
  }

  public Answer patch(String path, String type, Object patch) {
    return with("PATCH", path, "application/" + type + "-patch+json", patch);
  }

  public Answer delete(String path) {
    return send(request(path).DELETE().build());
  }

  private Answer with(String method, String path, String contentType, Object body) {
    return send(
        request(path)
            .header("Content-Type", contentType)
            .method(method, BodyPublishers.ofByteArray(KubeJson.write(body)))
            .build());
  }

  /**
   * A connection of HTTP/1.1 on which a GET was sent; whoever reads from it waits so long at most.
   */
  SSLSocket connection(String path, Duration readTimeout) throws IOException {
    var socket =
        (SSLSocket)
            http.sslContext().getSocketFactory().createSocket(server.getHost(), server.getPort());
    socket.setSoTimeout((int) readTimeout.toMillis());
    send(socket, path);
    return socket;
  }

  /** Sends another GET. */
  void send(SSLSocket connection, String path) throws IOException {
    connection
        .getOutputStream()
        .write(
            "GET %s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(path, server.getHost(), token)
                .getBytes(StandardCharsets.US_ASCII));
  }

  /** The events of a watch as they come; close it to end the watch. */
  Stream<KubeObject> watch(String path) {
    try {
      return http.send(request(path).build(), BodyHandlers.ofLines())
          .body()
          .map(KubeJson::readObject);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** {@code TYPE name} of the next events. */
  static List<String> brief(Iterator<KubeObject> events, int count) {
    return Stream.generate(events::next)
        .limit(count)
        .map(event -> event.text("type") + " " + event.text("object", "metadata", "name"))
        .toList();
  }
}
