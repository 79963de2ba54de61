package dev.mooring.runtime.testing;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

/** A target's deletion and a reference to it that are to meet, and how to see what came of it. */
public interface RaceMeeting {
  /** Pairs at a time; each has two clients. */
  int WORKERS = 4;

  /** A protected deletion takes some 10 ms; later references meet it at any stage. */
  int LATER_MAX_MILLIS = 16;

  /** Makes what there has to be before. */
  void prepare();

  void delete();

  void refer();

  /** Whether the dependent refers to the target. */
  boolean referring();

  /** Whether the target is there. */
  boolean there();

  /**
   * Has many pairs meet, a few at a time, every two at another distance.
   *
   * @param numbered by the number of the pair
   */
  static RaceTally race(int pairs, IntFunction<RaceMeeting> numbered) throws Exception {
    try (ExecutorService workers = Executors.newFixedThreadPool(WORKERS);
        ExecutorService racers = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Callable<RacePair>>();
      for (int i = 0; i < pairs; i++) {
        RaceMeeting meeting = numbered.apply(i);
        Duration later = Duration.ofMillis(i / 2 % LATER_MAX_MILLIS);
        all.add(() -> meeting.met(racers, later));
      }
      var raced = new ArrayList<RacePair>();
      for (Future<RacePair> each : workers.invokeAll(all)) {
        raced.add(each.get());
      }
      return new RaceTally(raced);
    }
  }

  private RacePair met(ExecutorService racers, Duration later) throws Exception {
    prepare();
    List<RacePair.Attempt> attempts = RacePair.race(racers, later, this::delete, this::refer);
    return new RacePair(attempts.getFirst(), attempts.getLast(), referring(), there());
  }
}
