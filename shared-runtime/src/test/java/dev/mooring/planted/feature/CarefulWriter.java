package dev.mooring.planted.feature;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;

/** Keeps the rule of writers, in a class within one. */
public final class CarefulWriter {
  private CarefulWriter() {}

  record Deletion(KubeClient client) implements Runnable {
    @Override
    public void run() {
      client.delete(
          ResourceType.core("secrets"), "default", "a", new DeleteCondition.SameObject("uid"));
    }
  }
}
