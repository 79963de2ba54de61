package dev.mooring.runtime.watch;

/**
 * Is told what changed, in order, after the cache has changed. Called by one thread at a time; must
 * be quick, such as adding a key to a queue. What it throws is logged and otherwise ignored.
 */
@FunctionalInterface
public interface ChangeListener {
  void changed(Change change);
}
