package dev.mooring.cli.demo;

import dev.mooring.cli.live.Types;
import dev.mooring.harness.Await;
import dev.mooring.harness.KcpChoice;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.ListQuery;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Takes the story's workspaces away from a kcp that outlives it, whether the story ends well, fails
 * or is interrupted, and whether the services still run or not: what would wait for them
 * (finalizers, webhooks) goes first.
 */
public final class DemoRemoval implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private final Runnable removal;
  private final AtomicBoolean done = new AtomicBoolean();

  private DemoRemoval(Runnable removal) {
    this.removal = removal;
    Runtime.getRuntime().addShutdownHook(new Thread(this::close, "remove-workspaces"));
  }

  /** Of nothing if the kcp goes with the story. */
  public static DemoRemoval of(DemoEnvironment environment) {
    return new DemoRemoval(
        switch (environment.suite().choice()) {
          case KcpChoice.Sandbox _ -> () -> {};
          case KcpChoice.Existing _ -> () -> remove(environment);
        });
  }

  /** Removes once, whether the story ends or the process. */
  @Override
  public void close() {
    if (done.compareAndSet(false, true)) {
      removal.run();
    }
  }

  private static void remove(DemoEnvironment environment) {
    try {
      KubeClient parent = environment.parent().client();
      String org = environment.org().name();
      if (parent.find(Types.WORKSPACES, "", org).isEmpty()) {
        return;
      }
      quietly(() -> Grants.withdrawFromShards(environment));
      quietly(() -> deleteAll(environment.compute(), Types.DEPENDENCY_RULES));
      quietly(() -> deleteAll(environment.network(), Types.WEBHOOK_CONFIGURATIONS));
      for (ClusterClient consumer : environment.consumers()) {
        quietly(() -> releaseAndDelete(consumer, Types.CERTIFICATES));
      }
      parent.delete(Types.WORKSPACES, "", org, new DeleteCondition.Unconditional());
      Await.until(
          "workspace " + environment.org() + " is gone",
          PATIENCE,
          () -> {},
          () -> parent.find(Types.WORKSPACES, "", org).isEmpty());
    } catch (RuntimeException e) {
      System.err.println(
          "Workspace "
              + environment.org()
              + " may be left behind: "
              + e.getMessage()
              + "\nRemove it: kubectl delete workspace "
              + environment.org().name());
    }
  }

  private static void deleteAll(ClusterClient cluster, ResourceType type) {
    for (KubeObject object : cluster.client().list(type, ListQuery.ALL).items()) {
      cluster
          .client()
          .delete(
              type,
              object.namespace(),
              object.name(),
              new DeleteCondition.SameObject(object.uid()));
    }
  }

  private static void releaseAndDelete(ClusterClient cluster, ResourceType type) {
    deleteAll(cluster, type);
    for (KubeObject object : cluster.client().list(type, ListQuery.ALL).items()) {
      cluster
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
