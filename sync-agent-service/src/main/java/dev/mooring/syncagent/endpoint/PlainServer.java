package dev.mooring.syncagent.endpoint;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * Serves a few pages of text over plain HTTP, such as metrics and probes, on an address of their
 * own. Thread-safe.
 */
public final class PlainServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();

  /**
   * What a page says.
   *
   * @param status of HTTP
   */
  public record Page(int status, String contentType, String text) {
    public static Page ok(String text) {
      return new Page(200, "text/plain; charset=utf-8", text);
    }

    public static Page unavailable(String text) {
      return new Page(503, "text/plain; charset=utf-8", text);
    }
  }

  private PlainServer(HttpServer server) {
    this.server = server;
    server.setExecutor(workers);
  }

  /**
   * @param purpose what to name it by where it cannot be started, such as a property's name
   * @param address to listen on; port 0 for any that is free
   * @param pages by path, called for each request
   * @throws IllegalStateException if nothing can listen there
   */
  public static PlainServer start(
      String purpose, InetSocketAddress address, Map<String, Supplier<Page>> pages) {
    PlainServer started;
    try {
      started = new PlainServer(HttpServer.create(address, 0));
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot listen on %s:%s (%s): %s; name another address, or 0 for none"
              .formatted(address.getHostString(), address.getPort(), purpose, e.getMessage()),
          e);
    }
    pages.forEach(
        (path, page) -> started.server.createContext(path, exchange -> answer(exchange, page)));
    started.server.start();
    return started;
  }

  /** Where it listens. */
  public int port() {
    return server.getAddress().getPort();
  }

  private static void answer(HttpExchange exchange, Supplier<Page> asked) throws IOException {
    try (exchange) {
      boolean head = exchange.getRequestMethod().equals("HEAD");
      if (!head && !exchange.getRequestMethod().equals("GET")) {
        exchange.sendResponseHeaders(405, -1);
        return;
      }
      Page page = asked.get();
      byte[] text = page.text().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().set("Content-Type", page.contentType());
      exchange.sendResponseHeaders(page.status(), head ? -1 : text.length);
      if (!head) {
        exchange.getResponseBody().write(text);
      }
    }
  }

  /** Idempotent. */
  @Override
  public void close() {
    server.stop(0);
    workers.close();
  }
}
