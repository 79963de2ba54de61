package dev.mooring.benchmarks.common;

import dev.mooring.harness.Manifests;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A workspace of a run.
 *
 * @param name within the run
 */
public record Workspace(
    String name, WorkspacePath path, LogicalCluster cluster, KubeClient client) {
  /** Creates an object that a new workspace, or one with a new type, refuses for a moment. */
  public KubeObject create(KubeObject object) {
    ResourceType type = Manifests.typeOf(object);
    return Waiting.await(
        type + " " + object.name() + " can be created in " + path,
        () -> {
          try {
            return Optional.of(client.create(type, object));
          } catch (KubeFailure e) {
            return switch (e.kind()) {
              case NOT_SERVED, NOT_FOUND, FORBIDDEN, UNAVAILABLE -> Optional.empty();
              case ALREADY_EXISTS, CONFLICT, INVALID, UNAUTHORIZED, GONE, TOO_LARGE -> throw e;
            };
          }
        });
  }

  public void create(List<KubeObject> objects) {
    objects.forEach(this::create);
  }

  /** Creates an APIBinding and waits until it is bound. */
  public void bind(KubeObject binding) {
    create(binding);
    await(binding, "is bound", bound -> bound.text("status", "phase").equals("Bound"));
  }

  /**
   * Waits until an object has reached a state; what it is like then.
   *
   * @param what such as {@code is bound}, for the message when time is up
   */
  public KubeObject await(KubeObject object, String what, Predicate<KubeObject> state) {
    return Waiting.await(
        object.kind() + " " + object.name() + " in " + path + " " + what,
        () ->
            client.find(Manifests.typeOf(object), object.namespace(), object.name()).filter(state));
  }
}
