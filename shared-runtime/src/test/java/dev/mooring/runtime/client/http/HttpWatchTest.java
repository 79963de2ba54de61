package dev.mooring.runtime.client.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.client.WatchHandle;
import dev.mooring.runtime.client.WatchQuery;
import dev.mooring.runtime.client.WatchSink;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpWatchTest {
  private static final ResourceType THINGS = new ResourceType("example.io", "v1", "things");
  private static final WatchQuery FROM_SEVEN = new WatchQuery(ListQuery.ALL, "7", WatchQuery.LIFE);

  @TempDir private Path directory;
  private final List<String> reported = new CopyOnWriteArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private StubServer server;
  private KubeConnection connection;

  @BeforeEach
  void connects() {
    server = StubServer.start(StubServer.replying(500, "text/plain", "no answer was set"));
    connection = server.connect(directory, "", "{token: sesame}");
  }

  @AfterEach
  void closes() {
    ended.countDown();
    connection.close();
    server.close();
  }

  @Test
  void deliversEventsInOrderUntilTheServerEndsTheStream() {
    streams(true, event("ADDED", "a", 8), event("MODIFIED", "a", 9), event("DELETED", "a", 10));

    watch();

    await()
        .untilAsserted(() ->
            assertThat(reported)
                .containsExactly("ADDED a 8", "MODIFIED a 9", "DELETED a 10", "closed"));
    assertThat(server.lastAsked().target())
        .startsWith("/apis/example.io/v1/things?watch=true&allowWatchBookmarks=true")
        .contains("&resourceVersion=7&timeoutSeconds=");
  }

  @Test
  void tellsOfAVersionThatIsTooOld() {
    streams(
        false,
        "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":410,\"reason\":\"Expired\","
            + "\"message\":\"too old resource version\"}}\n");

    watch();

    await().until(() -> reported.size() == 1);
    assertThat(reported.getFirst())
        .startsWith("closed GONE WATCH http://")
        .endsWith("/things: 410 too old resource version");
  }

  @Test
  void tellsOfARefusalBeforeItReturns() {
    server.now(
        StubServer.replying(
            403, "application/json", "{\"kind\":\"Status\",\"message\":\"no\",\"code\":403}"));

    assertThatThrownBy(this::watch)
        .isInstanceOfSatisfying(
            KubeFailure.class,
            failure -> assertThat(failure.kind()).isEqualTo(KubeFailure.Kind.FORBIDDEN))
        .hasMessageEndingWith("/things: 403 no");
    assertThat(reported).isEmpty();
  }

  @Test
  void takesAStreamThatEndsWithinAnEventForBroken() {
    streams(true, event("ADDED", "a", 8), "{\"type\":\"MOD");

    watch();

    await().until(() -> reported.size() == 2);
    assertThat(reported.get(0)).isEqualTo("ADDED a 8");
    assertThat(reported.get(1)).startsWith("closed UNAVAILABLE").contains("within an event");
  }

  @Test
  void takesTextThatIsNoEventForBroken() {
    streams(false, event("ADDED", "a", 8), "<html>\n", event("ADDED", "b", 9));

    watch();

    await().until(() -> reported.size() == 2);
    assertThat(reported.get(1)).startsWith("closed UNAVAILABLE");
  }

  @Test
  void refusesALineBeyondItsBound() {
    streams(false, "x".repeat(HttpWatch.LINE_MAX_BYTES + 1));

    watch();

    await().until(() -> reported.size() == 1);
    assertThat(reported.getFirst())
        .startsWith("closed UNAVAILABLE")
        .contains("longer than 8388608");
  }

  @Test
  void deliversNothingAfterItWasClosed() {
    var proceed = new CountDownLatch(1);
    server.now((_, exchange) -> {
      OutputStream out = begin(exchange);
      write(out, event("ADDED", "a", 8));
      awaiting(proceed);
      write(out, event("ADDED", "b", 9));
      exchange.close();
    });
    WatchHandle watch = watch();
    await().until(() -> reported.size() == 1);

    watch.close();
    watch.close();
    proceed.countDown();

    assertThat(reported).containsExactly("ADDED a 8", "closed");
  }

  @Test
  void endsWhenItsReaderFails() {
    endsWith(new IllegalStateException("a reader's own fault"));
  }

  @Test
  void endsWhenItsReaderHasNoMemory() {
    endsWith(new OutOfMemoryError("a reader's own fault"));
  }

  private void endsWith(Throwable fault) {
    streams(false, event("ADDED", "a", 8), event("ADDED", "b", 9));
    var calls = new AtomicInteger();

    connection
        .client()
        .watch(
            THINGS,
            FROM_SEVEN,
            new RecordingSink(reported) {
              @Override
              public void event(WatchEventType type, KubeObject object) {
                calls.incrementAndGet();
                throw sneaky(fault);
              }
            });

    await().until(() -> reported.size() == 1);
    assertThat(reported.getFirst()).contains("a reader's own fault");
    assertThat(calls).hasValue(1);
  }

  @SuppressWarnings("unchecked") // unchecked exceptions only
  private static <E extends Throwable> E sneaky(Throwable fault) throws E {
    throw (E) fault;
  }

  @Test
  void slowsTheServerAndNotTheMemory() {
    int megabytes = 64;
    var sent = new AtomicInteger();
    var proceed = new CountDownLatch(1);
    String filler = "f".repeat(1024 * 1024);
    server.now((_, exchange) -> {
      OutputStream out = begin(exchange);
      for (int i = 0; i < megabytes; i++) {
        write(out, event("ADDED", filler, i));
        sent.incrementAndGet();
      }
      exchange.close();
    });
    var received = new AtomicInteger();
    connection
        .client()
        .watch(
            THINGS,
            FROM_SEVEN,
            new RecordingSink(reported) {
              @Override
              public void event(WatchEventType type, KubeObject object) {
                awaiting(proceed);
                received.incrementAndGet();
              }
            });

    await()
        .during(Duration.ofMillis(300))
        .until(() -> sent.get() < megabytes / 2 && received.get() == 0);
    proceed.countDown();

    await().until(() -> received.get() == megabytes && reported.equals(List.of("closed")));
  }

  private void streams(boolean ends, String... parts) {
    server.now((_, exchange) -> {
      OutputStream out = begin(exchange);
      for (String part : parts) {
        write(out, part);
      }
      if (!ends) {
        awaiting(ended);
      }
      exchange.close();
    });
  }

  private static OutputStream begin(HttpExchange exchange) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "application/json");
    exchange.sendResponseHeaders(200, 0);
    exchange.getResponseBody().flush();
    return exchange.getResponseBody();
  }

  private static void write(OutputStream out, String text) throws IOException {
    out.write(text.getBytes(StandardCharsets.UTF_8));
    out.flush();
  }

  private static void awaiting(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String event(String type, String name, int version) {
    return """
    {"type":"%s","object":{"kind":"Thing","metadata":{"name":"%s","resourceVersion":"%d"}}}
    """
        .formatted(type, name, version);
  }

  private WatchHandle watch() {
    return connection.client().watch(THINGS, FROM_SEVEN, new RecordingSink(reported));
  }

  private static class RecordingSink implements WatchSink {
    private final List<String> reported;

    RecordingSink(List<String> reported) {
      this.reported = reported;
    }

    @Override
    public void event(WatchEventType type, KubeObject object) {
      reported.add(type + " " + object.name() + " " + object.resourceVersion());
    }

    @Override
    public void closed(KubeFailure cause) {
      reported.add("closed" + (cause == null ? "" : " " + cause.kind() + " " + cause.getMessage()));
    }
  }
}
