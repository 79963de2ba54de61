package dev.mooring.runtime.watch;

import dev.mooring.model.object.KubeObject;

/**
 * How much a cache may hold. Every object is asked for before it is held, while a list comes in as
 * well, so that no list fills the memory. Several caches may share one. Called by several threads.
 */
public interface CacheBudget {
  /** For all there is. */
  CacheBudget UNBOUNDED =
      new CacheBudget() {
        @Override
        public boolean take(KubeObject object) {
          return true;
        }

        @Override
        public void leave(KubeObject object) {}
      };

  /** False if there is none: the informer then ends for good, still holding what it held. */
  boolean take(KubeObject object);

  /** An object that room was taken for is not held any more. */
  void leave(KubeObject object);
}
