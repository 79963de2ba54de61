package dev.mooring.benchmarks.common;

import dev.mooring.harness.HarnessFailure;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** Several clients that work off a list together. */
public final class Clients {
  /** As many as the figures of the Go programs were taken with. */
  public static final int COUNT = 8;

  private Clients() {}

  /** Returns when all is done; throws what the first failing piece of work threw. */
  public static <T> void share(List<T> work, Consumer<T> each) {
    try (var executor = Executors.newThreadPerTaskExecutor(Thread.ofVirtual().factory())) {
      List<Future<?>> clients =
          IntStream.range(0, COUNT)
              .<Future<?>>mapToObj(client -> executor.submit(() -> part(client, work, each)))
              .toList();
      for (Future<?> client : clients) {
        client.get();
      }
    } catch (ExecutionException e) {
      throw new HarnessFailure("A request of the benchmark's own failed", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HarnessFailure("Interrupted", e);
    }
  }

  private static <T> void part(int client, List<T> work, Consumer<T> each) {
    for (int i = client; i < work.size(); i += COUNT) {
      each.accept(work.get(i));
    }
  }
}
