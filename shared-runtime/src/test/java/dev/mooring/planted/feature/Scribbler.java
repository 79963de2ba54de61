package dev.mooring.planted.feature;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;

/** Breaks the rule of writers, from within a lambda. */
public final class Scribbler {
  private Scribbler() {}

  static Runnable deletion(KubeClient client) {
    return () ->
        client.delete(
            ResourceType.core("secrets"), "default", "a", new DeleteCondition.Unconditional());
  }
}
