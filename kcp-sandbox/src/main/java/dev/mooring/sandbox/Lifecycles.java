package dev.mooring.sandbox;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;

/** What runs in a server: started in order, closed in reverse order. */
final class Lifecycles implements AutoCloseable {
  private final List<Runnable> starts = new ArrayList<>();
  private final Deque<AutoCloseable> closers = new ArrayDeque<>();

  /** A part whose start answers what stops it. */
  void add(Supplier<? extends AutoCloseable> start) {
    starts.add(() -> closers.push(start.get()));
  }

  /** A step of the start that needs no stop. */
  void run(Runnable step) {
    starts.add(step);
  }

  /** A part that is closed even if it was never started. */
  <T extends AutoCloseable> T closing(T part) {
    closers.push(part);
    return part;
  }

  void start() {
    starts.forEach(Runnable::run);
  }

  @Override
  public void close() {
    while (!closers.isEmpty()) {
      try {
        closers.pop().close();
      } catch (Exception e) {
        throw new IllegalStateException("cannot stop the sandbox", e);
      }
    }
  }
}
