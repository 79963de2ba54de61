package dev.mooring.acceptance;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.ResourceSpans;
import io.opentelemetry.proto.trace.v1.Status;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An OTLP collector over HTTP that keeps the spans that it receives. */
final class SpanCollector implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Received> spans = new CopyOnWriteArrayList<>();
  private final List<String> bodies = new CopyOnWriteArrayList<>();
  private volatile CountDownLatch answering = new CountDownLatch(0);

  /**
   * A span.
   *
   * @param parent empty for the first of its trace
   * @param links spans of other traces
   */
  record Received(
      String service,
      String trace,
      String id,
      String parent,
      String name,
      boolean failed,
      Map<String, String> attributes,
      List<String> links) {}

  SpanCollector() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.setExecutor(threads);
    server.createContext("/v1/traces", this::receive);
    server.start();
  }

  String endpoint() {
    return "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/traces";
  }

  List<Received> spans() {
    return spans;
  }

  /** All that was received, as it was. */
  String bodies() {
    return String.join("\n", bodies);
  }

  /** Takes requests from now on, and answers none. */
  void hang() {
    answering = new CountDownLatch(1);
  }

  void goOn() {
    answering.countDown();
  }

  @Override
  public void close() {
    goOn();
    server.stop(0);
    threads.shutdownNow();
  }

  private void receive(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      bodies.add(new String(body, StandardCharsets.ISO_8859_1));
      ExportTraceServiceRequest.parseFrom(body).getResourceSpansList().stream()
          .flatMap(SpanCollector::spans)
          .forEach(spans::add);
      answering.await();
      exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
      exchange.sendResponseHeaders(200, -1);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Stream<Received> spans(ResourceSpans resource) {
    String service =
        attributes(resource.getResource().getAttributesList()).getOrDefault("service.name", "");
    return resource.getScopeSpansList().stream()
        .flatMap(scope -> scope.getSpansList().stream())
        .map(span ->
            new Received(
                service,
                hex(span.getTraceId().toByteArray()),
                hex(span.getSpanId().toByteArray()),
                hex(span.getParentSpanId().toByteArray()),
                span.getName(),
                span.getStatus().getCode() == Status.StatusCode.STATUS_CODE_ERROR,
                attributes(span.getAttributesList()),
                span.getLinksList().stream()
                    .map(link -> hex(link.getTraceId().toByteArray()))
                    .toList()));
  }

  private static Map<String, String> attributes(List<KeyValue> attributes) {
    return attributes.stream()
        .collect(
            Collectors.toMap(
                KeyValue::getKey,
                one ->
                    one.getValue().hasIntValue()
                        ? Long.toString(one.getValue().getIntValue())
                        : one.getValue().getStringValue()));
  }

  private static String hex(byte[] id) {
    return HexFormat.of().formatHex(id);
  }
}
