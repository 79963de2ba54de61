package dev.mooring.runtime.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An HTTP server that answers as a test says, however wrong, and remembers what it was asked. */
public final class StubServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Asked> asked = new CopyOnWriteArrayList<>();
  private volatile Script script;

  /** Answers one request. */
  @FunctionalInterface
  public interface Script {
    void answer(Asked asked, HttpExchange exchange) throws IOException;
  }

  /**
   * @param target path and query, as they were sent
   */
  public record Asked(
      String method, String target, String contentType, String authorization, String body) {}

  private StubServer(Script script) {
    this.script = script;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
    server.start();
  }

  public static StubServer start(Script script) {
    return new StubServer(script);
  }

  /** One whole answer. */
  public static Script replying(int code, String contentType, String body) {
    return (_, exchange) -> reply(exchange, code, contentType, body);
  }

  public static void reply(HttpExchange exchange, int code, String contentType, String body)
      throws IOException {
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().set("Content-Type", contentType);
    exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  public void now(Script next) {
    script = next;
  }

  public List<Asked> asked() {
    return asked;
  }

  public Asked lastAsked() {
    return asked.getLast();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** A connection to this server, by a kubeconfig of the given path and user. */
  public KubeConnection connect(Path directory, String path, String user) {
    Path kubeconfig = directory.resolve("kubeconfig");
    try {
      Files.writeString(kubeconfig, kubeconfig(url() + path, user));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("test"));
  }

  public static String kubeconfig(String server, String user) {
    return """
    apiVersion: v1
    kind: Config
    clusters:
    - name: here
      cluster: {server: "%s"}
    users:
    - name: somebody
      user: %s
    contexts:
    - name: main
      context: {cluster: here, user: somebody}
    - name: lost
      context: {cluster: nowhere, user: somebody}
    current-context: main
    """
        .formatted(server, user);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }

  private void handle(HttpExchange exchange) throws IOException {
    var one =
        new Asked(
            exchange.getRequestMethod(),
            exchange.getRequestURI().toString(),
            exchange.getRequestHeaders().getFirst("Content-Type"),
            exchange.getRequestHeaders().getFirst("Authorization"),
            new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
    asked.add(one);
    script.answer(one, exchange);
  }
}
