package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.queue.Next;
import java.util.Optional;

public final class RelatedReconciler implements AutoCloseable {
  public Optional<Next> keepInStep(
      ObjectKey key, KubeObject source, Optional<KubeObject> copy, KubeClient workspace) {
    return Optional.empty();
  }

  public Optional<Next> windDown(
      ObjectKey key, KubeObject source, Optional<KubeObject> copy, KubeClient workspace) {
    return Optional.empty();
  }

  public void forget(ObjectKey key) {}

  @Override
  public void close() {}
}
