package dev.mooring.runtime.watch;

/**
 * Is told what changed, in order, after the cache has changed. Called by one thread at a time; must
 * be quick, such as adding a key to a queue. What it throws is logged and otherwise ignored.
 */
@FunctionalInterface
public interface ChangeListener {
  void changed(Change change);

  /**
   * The server is heard again after a watch had ended, for whatever reason, or it said that it does
   * not serve the type: the type itself may be another one by now. All objects that changed
   * meanwhile are told of besides.
   */
  default void resumed() {}
}
