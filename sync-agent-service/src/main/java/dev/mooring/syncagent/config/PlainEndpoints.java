package dev.mooring.syncagent.config;

import dev.mooring.syncagent.agent.SyncAgent;
import dev.mooring.syncagent.endpoint.PlainMetrics;
import dev.mooring.syncagent.endpoint.PlainServer;
import dev.mooring.syncagent.endpoint.PlainServer.Page;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.net.InetSocketAddress;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The plain servers of metrics and probes that the properties ask for; one if they share. */
public final class PlainEndpoints implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PlainEndpoints.class);

  private final Map<String, PlainServer> servers = new LinkedHashMap<>();

  private PlainEndpoints() {}

  static PlainEndpoints start(
      PlainEndpointProperties properties, SyncAgent agent, PrometheusMeterRegistry registry) {
    var pages = new LinkedHashMap<String, Map<String, Supplier<Page>>>();
    if (!isOff(properties.metricsAddress())) {
      pages
          .computeIfAbsent(properties.metricsAddress(), _ -> new LinkedHashMap<>())
          .put("/metrics", () -> PlainMetrics.page(registry));
    }
    if (!isOff(properties.healthAddress())) {
      Map<String, Supplier<Page>> probes =
          pages.computeIfAbsent(properties.healthAddress(), _ -> new LinkedHashMap<>());
      probes.put("/healthz", () -> Page.ok("ok"));
      probes.put("/readyz", () -> readiness(agent));
    }
    var endpoints = new PlainEndpoints();
    try {
      pages.forEach(endpoints::serve);
    } catch (RuntimeException e) {
      endpoints.close();
      throw e;
    }
    return endpoints;
  }

  /** Of the server of this address as it was configured; 0 if there is none. */
  public int port(String address) {
    PlainServer server = servers.get(address);
    return server == null ? 0 : server.port();
  }

  private void serve(String address, Map<String, Supplier<Page>> pages) {
    PlainServer server =
        PlainServer.start(String.join(", ", pages.keySet()), parsed(address), pages);
    servers.put(address, server);
    LOG.info("Serving {} on {}", pages.keySet(), address);
  }

  private static Page readiness(SyncAgent agent) {
    List<String> reasons = agent.reasons();
    return reasons.isEmpty() ? Page.ok("ok") : Page.unavailable(String.join("\n", reasons));
  }

  /** Empty or, as the Go agent has it, 0. */
  private static boolean isOff(String address) {
    return address.isEmpty() || address.equals("0");
  }

  /** Without a host it is every address of the machine. */
  private static InetSocketAddress parsed(String address) {
    int colon = address.lastIndexOf(':');
    String host = address.substring(0, colon).replaceAll("[\\[\\]]", "");
    int port = Integer.parseInt(address.substring(colon + 1));
    return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
  }

  @Override
  public void close() {
    servers.values().forEach(PlainServer::close);
  }
}
