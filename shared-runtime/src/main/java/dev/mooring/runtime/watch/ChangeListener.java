package dev.mooring.runtime.watch;

import java.util.function.Consumer;

/**
 * Receives what changed, in order, after the cache has changed. Called by one thread at a time;
 * must be quick, such as adding a key to a queue. What it throws is logged and otherwise ignored.
 */
@FunctionalInterface
public interface ChangeListener {
  void changed(Change change);

  /**
   * The server answers again after a watch had ended, for any reason, or it said that it does not
   * serve the type: the type itself may be another one by now. All objects that changed meanwhile
   * are reported as well.
   */
  default void resumed() {}

  static ChangeListener of(Consumer<Change> changed, Runnable resumed) {
    return new ChangeListener() {
      @Override
      public void changed(Change change) {
        changed.accept(change);
      }

      @Override
      public void resumed() {
        resumed.run();
      }
    };
  }
}
