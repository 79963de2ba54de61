package dev.mooring.syncagent.clusters;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.export.MultiShardLister;
import dev.mooring.runtime.watch.Change;
import dev.mooring.runtime.watch.ChangeListener;
import dev.mooring.runtime.watch.InformerSpec;
import dev.mooring.syncagent.published.Side;

/** Objects of any type on both sides, as last seen. Thread-safe. */
public interface TypeWatches {
  /** Receives changes; must not block. */
  @FunctionalInterface
  interface Listener {
    void changed(Side side, ResourceType type, Change change);
  }

  /** Ends a subscription. */
  @FunctionalInterface
  interface Subscription extends AutoCloseable {
    @Override
    void close();
  }

  /** All objects of the type on the service cluster. */
  ServiceView onService(ResourceType type);

  /** Some objects of a type on the service cluster; only this listener gets changes. */
  ServiceView onService(InformerSpec spec, ChangeListener listener);

  /** All objects of the type in consumers' workspaces, as far as they grant it. */
  MultiShardLister inKcp(ResourceType type);

  /** Secrets of a namespace of the service cluster in which agents keep states. */
  ServiceView states(String namespace);

  /** Until the answer is closed; not of what is there already. */
  Subscription listen(Listener listener);
}
