package dev.mooring.syncagent.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What waits where it must not waits for ever: then the time is up. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunningSyncsTest {
  private static final Duration DRAIN = Duration.ofSeconds(20);

  private final RunningSyncs<RunningSyncs.Drained> slots = new RunningSyncs<>();

  @Test
  void saysWhatRunsWhileOneComesToItsEnd() throws Exception {
    var ended = new CountDownLatch(1);
    RunningSyncs.Drained slow = start("a", waitingFor(ended));
    RunningSyncs.Drained other = start("b", _ -> {});

    var replacing =
        CompletableFuture.supplyAsync(
            () -> slots.replace("a", () -> _ -> {}).orElseThrow(), Thread::startVirtualThread);

    assertThat(slots.all()).containsExactly(slow, other);
    assertThat(slots.find("b")).contains(other);
    assertThat(replacing).isNotDone();

    ended.countDown();
    RunningSyncs.Drained next = replacing.get();
    assertThat(slots.all()).containsExactly(next, other);
  }

  @Test
  void startsTheNextOnlyOnceTheLastHasEnded() {
    var order = new ArrayList<String>();
    start("a", _ -> order.add("ended"));

    slots.replace(
        "a",
        () -> {
          order.add("started");
          return _ -> {};
        });

    assertThat(order).containsExactly("ended", "started");
  }

  /** One after the other they would wait for each other for ever. */
  @Test
  void endsAllAtTheSameTime() {
    var together = new CyclicBarrier(3);
    var ended = Collections.synchronizedList(new ArrayList<Duration>());
    for (String name : List.of("a", "b", "c")) {
      start(
          name,
          drain -> {
            try {
              together.await();
              ended.add(drain);
            } catch (Exception e) {
              throw new IllegalStateException(e);
            }
          });
    }

    slots.close(DRAIN);

    assertThat(ended).containsExactly(DRAIN, DRAIN, DRAIN);
    assertThat(slots.all()).isEmpty();
  }

  @Test
  void startsNothingOnceItWasClosed() {
    var begun = new CountDownLatch(1);
    var goOn = new CountDownLatch(1);
    start(
        "a",
        drain -> {
          begun.countDown();
          waitingFor(goOn).close(drain);
        });
    var replacing =
        CompletableFuture.supplyAsync(
            () -> slots.replace("a", () -> _ -> {}), Thread::startVirtualThread);
    await().until(() -> begun.getCount() == 0);
    var closing = CompletableFuture.runAsync(() -> slots.close(DRAIN), Thread::startVirtualThread);
    await().until(() -> slots.all().isEmpty());

    goOn.countDown();

    assertThat(replacing.join()).isEmpty();
    assertThat(slots.isClosed()).isTrue();
    closing.join();
    assertThat(slots.all()).isEmpty();
  }

  @Test
  void isAgainStartedAfterAStartThatFailed() {
    var ends = new ArrayList<Duration>();
    start("a", ends::add);

    assertThat(
            CompletableFuture.runAsync(
                () ->
                    slots.replace(
                        "a",
                        () -> {
                          throw new IllegalStateException("as the test asked");
                        }),
                Thread::startVirtualThread))
        .failsWithin(DRAIN);

    assertThat(slots.find("a")).isEmpty();
    assertThat(slots.replace("a", () -> _ -> {})).isPresent();
    assertThat(ends).hasSize(1);
  }

  private RunningSyncs.Drained start(String name, RunningSyncs.Drained running) {
    return slots.replace(name, () -> running).orElseThrow();
  }

  private static RunningSyncs.Drained waitingFor(CountDownLatch latch) {
    return _ -> {
      try {
        latch.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    };
  }
}
