package dev.mooring.syncagent.config;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mooring.syncagent.agent.SyncAgent;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plain servers of metrics and probes that the properties ask for; one if they share. */
public final class PlainEndpoints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlainEndpoints.class);
  private static final String TEXT = "text/plain; charset=utf-8";

  /** Version 0.0.4 of Prometheus's text format. */
  private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

  /** A whole number as Java writes a double; Go writes 1, and scripts compare texts. */
  private static final Pattern WHOLE = Pattern.compile("(?m)^([^#].* -?[0-9]+)\\.0$");

  private final ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
  private final Map<String, HttpServer> servers = new LinkedHashMap<>();

  private record Page(int status, String contentType, String text) {}

  private PlainEndpoints() {}

  /** Throws {@link IllegalStateException} if nothing can listen on an address. */
  static PlainEndpoints start(
      SyncAgentProperties properties, SyncAgent agent, PrometheusMeterRegistry registry) {
    var endpoints = new PlainEndpoints();
    try {
      endpoints.serve(
          properties.metricsAddress(),
          "/metrics",
          () -> new Page(200, METRICS, asGoWrites(registry.scrape(METRICS))));
      endpoints.serve(properties.healthAddress(), "/healthz", () -> new Page(200, TEXT, "ok"));
      endpoints.serve(properties.healthAddress(), "/readyz", () -> readiness(agent));
    } catch (RuntimeException e) {
      endpoints.close();
      throw e;
    }
    endpoints.servers.values().forEach(HttpServer::start);
    return endpoints;
  }

  static String asGoWrites(String metrics) {
    return WHOLE.matcher(metrics).replaceAll("$1");
  }

  private static Page readiness(SyncAgent agent) {
    List<String> reasons = agent.reasons();
    return reasons.isEmpty()
        ? new Page(200, TEXT, "ok")
        : new Page(503, TEXT, String.join("\n", reasons));
  }

  /** Of the server of this address as it was configured; 0 if there is none. */
  public int port(String address) {
    HttpServer server = servers.get(address);
    return server == null ? 0 : server.getAddress().getPort();
  }

  /**
   * @param address nothing is served if it is empty or, as the Go agent has it, 0
   */
  private void serve(String address, String path, Supplier<Page> page) {
    if (address.isEmpty() || address.equals("0")) {
      return;
    }
    servers
        .computeIfAbsent(address, _ -> listen(address, path))
        .createContext(path, exchange -> answer(exchange, page));
    LOG.info("Serving {} on {}", path, address);
  }

  /** Without a host it is every address of the machine. */
  private HttpServer listen(String address, String path) {
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
    int port = Integer.parseInt(address.substring(colon + 1));
    try {
      var server =
          HttpServer.create(
              host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port), 0);
      server.setExecutor(workers);
      return server;
    } catch (IOException e) {
      throw new IllegalStateException(
          "cannot listen on %s (%s): %s; name another address, or 0 for none"
              .formatted(address, path, e.getMessage()),
          e);
    }
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

  @Override
  public void close() {
    servers.values().forEach(server -> server.stop(0));
    workers.close();
  }
}
