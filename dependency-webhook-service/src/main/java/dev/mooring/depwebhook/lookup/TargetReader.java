package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.lookup.decide.Served;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.Objects;
import java.util.function.Function;

/** Reads the object that somebody asks about, in whatever version it is served. Thread-safe. */
public final class TargetReader {
  /** Stands for a version that no server has. */
  private static final String ANY = "any";

  private static final ResourceType LOGICAL_CLUSTERS =
      new ResourceType("core.kcp.io", "v1alpha1", "logicalclusters");

  private final Function<LogicalCluster, KubeReader> workspaces;

  public TargetReader(Function<LogicalCluster, KubeReader> workspaces) {
    this.workspaces = Objects.requireNonNull(workspaces, "workspaces");
  }

  /** What is there. */
  public sealed interface Reading {
    record Found(KubeObject object) implements Reading {
      public Found {
        Objects.requireNonNull(object, "object");
      }
    }

    /** There is no such object, or no such type. */
    record Missing(String message) implements Reading {
      public Missing {
        Objects.requireNonNull(message, "message");
      }
    }

    /** An object of this type is in a namespace and none was named, or the other way round. */
    record Misplaced(String message) implements Reading {
      public Misplaced {
        Objects.requireNonNull(message, "message");
      }
    }

    /** Nobody can tell; the message says what to do. */
    record Unreadable(String message, KubeFailure.Kind kind) implements Reading {
      public Unreadable {
        Objects.requireNonNull(message, "message");
      }
    }
  }

  public Reading read(Target target) {
    LogicalCluster cluster = target.key().cluster();
    var type = new ResourceType(target.type().group(), ANY, target.type().resource());
    try {
      KubeReader workspace = workspaces.apply(cluster);
      if (!exists(workspace)) {
        return new Reading.Missing("there is no logical cluster " + cluster);
      }
      return switch (ServedTypes.find(workspace, type)) {
        case Served.InOtherVersions(var versions) ->
            read(
                workspace,
                target,
                new ResourceType(type.group(), versions.getFirst(), type.resource()));
        case Served.Nowhere(), Served.InNamespaces(), Served.ClusterWide() -> notServed(target);
      };
    } catch (KubeFailure failure) {
      return new Reading.Unreadable(
          MissingRight.explained(failure, "get", type, cluster), failure.kind());
    }
  }

  private static Reading read(KubeReader workspace, Target target, ResourceType type) {
    return switch (ServedTypes.find(workspace, type)) {
      case Served.InNamespaces() when target.clusterScoped() ->
          new Reading.Misplaced(target.type() + " are in namespaces: say in which, by namespace=");
      case Served.ClusterWide() when !target.clusterScoped() ->
          new Reading.Misplaced(target.type() + " are in no namespace: leave out namespace=");
      case Served.InNamespaces(), Served.ClusterWide() ->
          workspace
              .find(type, target.key().namespace(), target.key().name())
              .<Reading>map(Reading.Found::new)
              .orElseGet(
                  () -> new Reading.Missing("there is no " + target.type() + " " + target.key()));
      // It went between the two requests.
      case Served.Nowhere(), Served.InOtherVersions(_) -> notServed(target);
    };
  }

  /**
   * Whether the logical cluster has its LogicalCluster object, as each has. A user who may not read
   * it finds out less; then what is read next tells.
   */
  private static boolean exists(KubeReader workspace) {
    try {
      return workspace.find(LOGICAL_CLUSTERS, "", "cluster").isPresent();
    } catch (KubeFailure failure) {
      return switch (failure.kind()) {
        case NOT_FOUND, NOT_SERVED -> false;
        case FORBIDDEN -> true;
        case ALREADY_EXISTS, CONFLICT, INVALID, UNAUTHORIZED, GONE, TOO_LARGE, UNAVAILABLE ->
            throw failure;
      };
    }
  }

  private static Reading notServed(Target target) {
    return new Reading.Missing(
        target.type() + " are not served in logical cluster " + target.key().cluster());
  }
}
