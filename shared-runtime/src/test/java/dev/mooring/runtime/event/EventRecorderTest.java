package dev.mooring.runtime.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.queue.QueueTiming;
import dev.mooring.runtime.time.ManualTime;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventRecorderTest {
  private static final KubeObject THING =
      KubeJson.readObject(
          """
          {"apiVersion":"example.io/v1","kind":"Thing",
           "metadata":{"name":"a","namespace":"ns","uid":"u1","resourceVersion":"7"}}\
          """);
  private static final EventNote NOTE =
      EventNote.warning(THING, "SyncFailed", "the service cluster refuses: quota");
  private static final EventNote ACCEPTED = EventNote.normal(THING, "Accepted", "seen");
  private static final EventNote PLACED = EventNote.normal(THING, "Placed", "copied");

  @TempDir private Path directory;
  private final ManualTime time = new ManualTime();
  private final AtomicInteger ids = new AtomicInteger();
  private StubServer server;
  private KubeConnection connection;
  private EventRecorder recorder;

  @BeforeEach
  void starts() {
    server = StubServer.start(EventRecorderTest::echo);
    connection = server.connect(directory, "", "{}");
    recorder =
        EventRecorder.start(
            "mooring-test",
            "pod-1",
            () -> "id" + ids.incrementAndGet(),
            new QueueTiming(time, time, () -> 0));
  }

  @AfterEach
  void closes() {
    recorder.close();
    connection.close();
    server.close();
  }

  @Test
  void recordsAnEventOnTheObject() {
    recorder.record(connection.client(), NOTE);

    await().until(() -> server.asked().size() == 1);
    assertThat(server.lastAsked().target()).isEqualTo("/api/v1/namespaces/ns/events");
    KubeObject event = KubeJson.readObject(server.lastAsked().body());
    assertThat(event.name()).isEqualTo("a.id1");
    assertThat(event.map("involvedObject"))
        .isEqualTo(
            Map.of(
                "apiVersion", "example.io/v1",
                "kind", "Thing",
                "namespace", "ns",
                "name", "a",
                "uid", "u1"));
    assertThat(event.text("type")).isEqualTo("Warning");
    assertThat(event.text("reason")).isEqualTo("SyncFailed");
    assertThat(event.at("count")).isEqualTo(1L);
    assertThat(event.text("firstTimestamp")).isEqualTo("2026-01-01T00:00:00Z");
  }

  @Test
  void countsWhatIsSaidAgain() {
    recorder.record(connection.client(), NOTE);
    await().until(() -> server.asked().size() == 1);

    for (int i = 0; i < 10; i++) {
      recorder.record(connection.client(), NOTE);
    }
    await().until(() -> time.pending() == 1);
    time.advance(EventRecorder.SPACING);

    await().until(() -> server.asked().size() == 2);
    assertThat(server.lastAsked().method()).isEqualTo("PATCH");
    assertThat(server.lastAsked().target()).isEqualTo("/api/v1/namespaces/ns/events/a.id1");
    assertThat(KubeJson.readObject(server.lastAsked().body()).at("count")).isEqualTo(11L);
  }

  @Test
  void writesNormalNotesAMomentLater() {
    recorder.record(connection.client(), PLACED);
    await().until(() -> time.pending() == 1);
    assertThat(server.asked()).isEmpty();

    time.advance(EventRecorder.GRACE);

    await().until(() -> server.asked().size() == 1);
    assertThat(reasonsWritten()).containsExactly("Placed");
  }

  @Test
  void writesNothingThatALaterNoteImplies() {
    recorder.record(connection.client(), ACCEPTED);
    await().until(() -> time.pending() == 1);
    recorder.record(connection.client(), PLACED.implying(ACCEPTED));
    await().until(() -> time.pending() == 2);

    time.advance(EventRecorder.GRACE);
    recorder.close();

    assertThat(reasonsWritten()).containsExactly("Placed");
    assertThat(recorder.backlog()).isEqualTo(new EventRecorder.Backlog(0, 0));
  }

  @Test
  void goesOnCountingAnEventThatALaterNoteImplies() {
    recorder.record(connection.client(), ACCEPTED);
    await().until(() -> time.pending() == 1);
    time.advance(EventRecorder.GRACE);
    await().until(() -> server.asked().size() == 1);
    recorder.record(connection.client(), ACCEPTED);

    recorder.record(connection.client(), PLACED.implying(ACCEPTED));
    recorder.close();

    assertThat(server.asked())
        .extracting(StubServer.Asked::method)
        .containsExactlyInAnyOrder("POST", "PATCH", "POST");
  }

  @Test
  void createsTheEventAgainWhenTheServerForgotIt() {
    recorder.record(connection.client(), NOTE);
    await().until(() -> server.asked().size() == 1);
    server.now((asked, exchange) -> {
      if (asked.method().equals("PATCH")) {
        StubServer.reply(
            exchange,
            404,
            "application/json",
            "{\"kind\":\"Status\",\"code\":404,\"reason\":\"NotFound\","
                + "\"details\":{\"name\":\"a.id1\",\"kind\":\"events\"}}");
      } else {
        echo(asked, exchange);
      }
    });

    time.advance(EventRecorder.SPACING);
    recorder.record(connection.client(), NOTE);

    await().until(() -> server.asked().size() == 3);
    KubeObject event = KubeJson.readObject(server.lastAsked().body());
    assertThat(event.name()).isEqualTo("a.id2");
    assertThat(event.at("count")).isEqualTo(2L);
  }

  @Test
  void putsEventsOfClusterScopedObjectsIntoTheDefaultNamespace() {
    recorder.record(
        connection.client(),
        EventNote.warning(THING.without("metadata", "namespace"), "Unpublished", "no such things"));

    await().until(() -> server.asked().size() == 1);
    assertThat(server.lastAsked().target()).isEqualTo("/api/v1/namespaces/default/events");
  }

  @Test
  void dropsWhatIsRefusedAndGoesOn() {
    server.now(StubServer.replying(403, "application/json", "{}"));
    recorder.record(connection.client(), NOTE);
    await().until(() -> recorder.backlog().dropped() == 1);

    server.now(EventRecorderTest::echo);
    recorder.record(connection.client(), NOTE);

    await().until(() -> server.asked().size() == 2);
  }

  @Test
  void neverBlocksTheRecordingThread() {
    var gate = new CountDownLatch(1);
    server.now((asked, exchange) -> {
      try {
        gate.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      echo(asked, exchange);
    });

    for (int i = 0; i < EventRecorder.WAITING_MAX + 1_000; i++) {
      recorder.record(connection.client(), EventNote.normal(THING, "Many", "note " + i));
    }

    assertThat(recorder.backlog().dropped()).isEqualTo(1_000L);
    gate.countDown();
  }

  @Test
  void losesNothingThatIsStillWaitingHoweverMuchIsRecorded() {
    int notes = EventRecorder.REMEMBERED_MAX + 500;

    for (int i = 0; i < notes; i++) {
      recorder.record(connection.client(), EventNote.normal(THING, "Many", "note " + i));
    }

    await()
        .atMost(Duration.ofMinutes(2))
        .until(() -> {
          time.advance(EventRecorder.GRACE);
          return server.asked().size() == notes;
        });
    assertThat(recorder.backlog().dropped()).isZero();
  }

  @Test
  void writesWhatWaitsBeforeItEnds() {
    recorder.record(connection.client(), NOTE);
    await().until(() -> server.asked().size() == 1);
    recorder.record(connection.client(), NOTE); // which would be counted seconds later
    for (int i = 0; i < 300; i++) {
      recorder.record(connection.client(), EventNote.normal(THING, "Reason" + i, "said"));
    }

    recorder.close();

    assertThat(server.asked()).hasSize(302);
    assertThat(recorder.backlog()).isEqualTo(new EventRecorder.Backlog(0, 0));
  }

  @Test
  void countsWhatCannotBeWrittenBeforeTheEnd() {
    server.now((_, exchange) -> StubServer.reply(exchange, 503, "text/plain", "away"));
    recorder.record(connection.client(), NOTE);
    recorder.record(connection.client(), EventNote.normal(THING, "Other", "said"));

    recorder.close();

    assertThat(recorder.backlog()).isEqualTo(new EventRecorder.Backlog(0, 2));
  }

  @Test
  void triesAgainWhileTheServerIsAwayForAMoment() {
    server.now(StubServer.replying(503, "application/json", "{}"));
    recorder.record(connection.client(), NOTE);
    await().until(() -> time.pending() == 1);

    server.now(EventRecorderTest::echo);
    time.advance(Duration.ofSeconds(1));

    await().until(() -> server.asked().size() == 2);
    assertThat(recorder.backlog().dropped()).isZero();
  }

  @Test
  void givesUpOnAServerThatStaysAway() {
    server.now(StubServer.replying(503, "application/json", "{}"));
    recorder.record(connection.client(), NOTE);

    await()
        .atMost(Duration.ofMinutes(1))
        .until(() -> {
          time.advance(Duration.ofMinutes(1));
          return recorder.backlog().dropped() == 1;
        });
  }

  @Test
  void shortensWhatTheServerWouldRefuse() {
    assertThat(EventNote.normal(THING, "Long", "x".repeat(5_000)).message())
        .hasSize(1_024)
        .endsWith("x…");
  }

  private List<String> reasonsWritten() {
    return server.asked().stream()
        .map(asked -> KubeJson.readObject(asked.body()).text("reason"))
        .toList();
  }

  private static void echo(StubServer.Asked asked, HttpExchange exchange) throws IOException {
    String name = asked.target().substring(asked.target().lastIndexOf('/') + 1);
    KubeObject sent = KubeJson.readObject(asked.body());
    KubeObject stored = sent.name().isEmpty() ? sent.with(name, "metadata", "name") : sent;
    StubServer.reply(exchange, 201, "application/json", KubeJson.writeText(stored.tree()));
  }
}
