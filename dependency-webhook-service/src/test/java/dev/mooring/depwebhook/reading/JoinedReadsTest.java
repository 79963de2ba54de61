package dev.mooring.depwebhook.reading;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.runtime.client.http.HeldAnswers;
import dev.mooring.runtime.time.ManualTime;
import dev.mooring.runtime.time.SystemTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 1, unit = TimeUnit.MINUTES)
class JoinedReadsTest {
  private static final ResourceType PARCELS = new ResourceType("example.io", "v1", "parcels");

  private final HeldServer server = new HeldServer();
  private final KubeReader reader = restless().of("cluster", server);

  @Test
  void answersWithWhatTheServerHas() throws Exception {
    FutureTask<Optional<KubeObject>> asked = ask("a");

    server.request(0).complete(Optional.of(parcel("1")));

    assertThat(asked.get()).contains(parcel("1"));
    assertThat(server.requests()).isEqualTo(1);
  }

  @Test
  void answersAllWhoAskedDuringOneReadByOneThatBeganLater() throws Exception {
    FutureTask<Optional<KubeObject>> first = ask("a");
    server.request(0);
    List<FutureTask<Optional<KubeObject>>> later = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      later.add(askAndWait("a"));
    }

    server.request(0).complete(Optional.of(parcel("old")));
    server.request(1).complete(Optional.of(parcel("new")));

    assertThat(first.get()).contains(parcel("old"));
    for (FutureTask<Optional<KubeObject>> each : later) {
      assertThat(each.get()).contains(parcel("new"));
    }
    assertThat(server.requests()).isEqualTo(2);
  }

  @Test
  void remembersNothing() throws Exception {
    FutureTask<Optional<KubeObject>> first = ask("a");
    server.request(0).complete(Optional.of(parcel("old")));
    first.get();

    FutureTask<Optional<KubeObject>> second = ask("a");
    server.request(1).complete(Optional.empty());

    assertThat(second.get()).isEmpty();
  }

  @Test
  void asksAnewOfEveryOtherObjectAndCluster() {
    var reads = restless();
    ask(reads.of("one", server), "a");
    server.request(0);
    ask(reads.of("one", server), "b");
    server.request(1);
    ask(reads.of("other", server), "a");

    server.request(2);
  }

  @Test
  void tellsEveryoneWhoWaitedOfAFailureAndTriesAgainForTheNext() throws Exception {
    ask("a");
    server.request(0);
    List<FutureTask<Optional<KubeObject>>> together = List.of(askAndWait("a"), askAndWait("a"));
    server.request(0).complete(Optional.empty());
    var failure = new KubeFailure(KubeFailure.Kind.UNAVAILABLE, 503, "", "503 for a", null, null);

    server.request(1).completeExceptionally(failure);

    for (FutureTask<Optional<KubeObject>> each : together) {
      assertThatThrownBy(each::get)
          .isInstanceOf(ExecutionException.class)
          .cause()
          .isSameAs(failure);
    }
    FutureTask<Optional<KubeObject>> next = ask("a");
    server.request(2).complete(Optional.of(parcel("1")));
    assertThat(next.get()).contains(parcel("1"));
  }

  @Test
  void keepsOneCallersInterruptionFromTheOthers() throws Exception {
    ask("a");
    server.request(0);
    var impatient = new FutureTask<>(() -> reader.find(PARCELS, "", "a"));
    Thread thread = Thread.ofPlatform().daemon().start(impatient);
    awaitWaiting(thread);
    FutureTask<Optional<KubeObject>> patient = askAndWait("a");

    thread.interrupt();
    assertThatThrownBy(impatient::get).hasMessageContaining("no answer");
    server.request(0).complete(Optional.empty());
    server.request(1).complete(Optional.of(parcel("1")));

    assertThat(patient.get()).contains(parcel("1"));
  }

  @Test
  void restsBeforeItReadsForThoseWhoWaitHoweverManyDo() throws Exception {
    var rests = new LinkedBlockingQueue<Runnable>();
    KubeReader resting = reads(rests).of("cluster", server);
    ask(resting, "a");
    server.request(0);
    FutureTask<Optional<KubeObject>> early = askAndWait(resting, "a");
    server.request(0).complete(Optional.of(parcel("old")));
    Runnable over = rests.take();

    FutureTask<Optional<KubeObject>> late = askAndWait(resting, "a");
    assertThat(server.requests()).isEqualTo(1);
    over.run();
    server.request(1).complete(Optional.of(parcel("new")));

    assertThat(early.get()).contains(parcel("new"));
    assertThat(late.get()).contains(parcel("new"));
    assertThat(server.requests()).isEqualTo(2);
  }

  @Test
  void doesNotRestBetweenCallersOneAfterTheOther() throws Exception {
    var rests = new LinkedBlockingQueue<Runnable>();
    KubeReader resting = reads(rests).of("cluster", server);
    for (int i = 0; i < 3; i++) {
      FutureTask<Optional<KubeObject>> asked = ask(resting, "a");
      server.request(i).complete(Optional.of(parcel("1")));
      assertThat(asked.get()).contains(parcel("1"));
    }

    assertThat(rests).isEmpty();
  }

  @Test
  void restsOfOneObjectOnly() throws Exception {
    var rests = new LinkedBlockingQueue<Runnable>();
    KubeReader resting = reads(rests).of("cluster", server);
    ask(resting, "a");
    server.request(0);
    askAndWait(resting, "a");
    server.request(0).complete(Optional.empty());
    rests.take();

    FutureTask<Optional<KubeObject>> other = ask(resting, "b");
    server.request(1).complete(Optional.of(parcel("1")));

    assertThat(other.get()).contains(parcel("1"));
  }

  @Test
  void restsUntilTheIntervalIsOverAndAsLongAsTheReadTookButNoLongerThanTheInterval()
      throws Exception {
    var time = new ManualTime();
    KubeReader resting = new JoinedReads(Duration.ofMillis(20), time, time).of("cluster", server);
    List<Integer> took = List.of(0, 4, 10, 15, 20, 1_000);
    ask(resting, "a");
    for (int i = 0; i < took.size(); i++) {
      CompletableFuture<Optional<KubeObject>> request = server.request(i);
      askAndWait(resting, "a");
      time.advance(Duration.ofMillis(took.get(i)));
      request.complete(Optional.empty());
      await().until(() -> time.pending() == 1);
      time.advance(time.asked().getLast());
    }

    assertThat(time.asked())
        .extracting(Duration::toMillis)
        .containsExactly(20L, 16L, 10L, 15L, 20L, 20L);
  }

  private static JoinedReads restless() {
    return new JoinedReads(Duration.ZERO, SystemTime.steadyClock(), SystemTime.scheduler());
  }

  private static JoinedReads reads(Queue<Runnable> rests) {
    return new JoinedReads(
        Duration.ofSeconds(1),
        SystemTime.steadyClock(),
        (_, over) -> {
          rests.add(over);
          return () -> {};
        });
  }

  private FutureTask<Optional<KubeObject>> ask(String name) {
    return ask(reader, name);
  }

  private static FutureTask<Optional<KubeObject>> ask(KubeReader reader, String name) {
    var task = new FutureTask<>(() -> reader.find(PARCELS, "", name));
    Thread.ofPlatform().daemon().start(task);
    return task;
  }

  /** Returns once the caller waits for an answer. */
  private FutureTask<Optional<KubeObject>> askAndWait(String name) {
    return askAndWait(reader, name);
  }

  private static FutureTask<Optional<KubeObject>> askAndWait(KubeReader reader, String name) {
    var task = new FutureTask<>(() -> reader.find(PARCELS, "", name));
    awaitWaiting(Thread.ofPlatform().daemon().start(task));
    return task;
  }

  private static void awaitWaiting(Thread thread) {
    await().until(() -> thread.getState() == Thread.State.WAITING);
  }

  private static KubeObject parcel(String size) {
    return KubeObject.of(Map.of("spec", Map.of("size", size)));
  }

  /** Holds back every answer until the test gives it. */
  private static final class HeldServer implements KubeReader {
    private final HeldAnswers<Optional<KubeObject>> answers = new HeldAnswers<>();

    @Override
    public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
      return answers.ask();
    }

    /** As {@link HeldAnswers#request}. */
    CompletableFuture<Optional<KubeObject>> request(int number) {
      return answers.request(number);
    }

    int requests() {
      return answers.count();
    }

    @Override
    public KubeList list(ResourceType type, ListQuery query) {
      throw new AssertionError("no list was asked for");
    }

    @Override
    public KubeObject document(String path) {
      throw new AssertionError("no document was asked for");
    }
  }
}
