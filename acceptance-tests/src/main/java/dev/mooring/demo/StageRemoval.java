package dev.mooring.demo;

import dev.mooring.harness.Await;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Takes the story's workspaces away from a kcp that outlives it, whether the story ends well, fails
 * or is interrupted, and whether the services still run or not: what would wait for them
 * (finalizers, webhooks) goes first.
 */
public final class StageRemoval implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Runnable removal;
  private final Thread atExit;
  private final AtomicBoolean done = new AtomicBoolean();

  private StageRemoval(Runnable removal) {
    this.removal = removal;
    this.atExit = new Thread(this::removeOnce, "remove-workspaces");
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** For a kcp that goes with the story. */
  public static StageRemoval notNeeded() {
    return new StageRemoval(() -> {});
  }

  public static StageRemoval of(Stage stage) {
    return new StageRemoval(() -> remove(stage));
  }

  @Override
  public void close() {
    removeOnce();
  }

  private void removeOnce() {
    if (done.compareAndSet(false, true)) {
      removal.run();
    }
  }

  private static void remove(Stage stage) {
    try {
      if (stage.parent().client().find(Types.WORKSPACES, "", stage.org().name()).isEmpty()) {
        return;
      }
      quietly(() -> Grants.withdrawFromShards(stage));
      quietly(() -> deleteAll(stage.compute(), Types.DEPENDENCY_RULES));
      quietly(() -> deleteAll(stage.network(), Types.WEBHOOK_CONFIGURATIONS));
      for (Place consumer : List.of(stage.blue(), stage.green())) {
        quietly(() -> releaseAndDelete(consumer, Types.CERTIFICATES));
      }
      stage
          .parent()
          .client()
          .delete(Types.WORKSPACES, "", stage.org().name(), new DeleteCondition.Unconditional());
      Await.until(
          "workspace " + stage.org() + " is gone",
          PATIENCE,
          () -> {},
          () -> stage.parent().client().find(Types.WORKSPACES, "", stage.org().name()).isEmpty());
    } catch (RuntimeException e) {
      System.err.println(
          "Workspace "
              + stage.org()
              + " may be left behind: "
              + e.getMessage()
              + "\nRemove it: kubectl delete workspace "
              + stage.org().name());
    }
  }

  private static void deleteAll(Place place, ResourceType type) {
    for (KubeObject object : place.client().list(type, ListQuery.ALL).items()) {
      place
          .client()
          .delete(
              type,
              object.namespace(),
              object.name(),
              new DeleteCondition.SameObject(object.uid()));
    }
  }

  private static void releaseAndDelete(Place place, ResourceType type) {
    deleteAll(place, type);
    for (KubeObject object : place.client().list(type, ListQuery.ALL).items()) {
      place
          .client()
          .patch(
              type,
              object.namespace(),
              object.name(),
              Map.of("metadata", Collections.singletonMap("finalizers", null)));
    }
  }

  /** What is not there need not be removed; what cannot be removed goes with its workspace. */
  private static void quietly(Runnable part) {
    try {
      part.run();
    } catch (KubeFailure goneOrGoing) {
      // The story may have ended before this existed.
    }
  }
}
