package dev.mooring.depwebhook.lookup;

import dev.mooring.depwebhook.eligibility.WorkspaceExistence;
import dev.mooring.depwebhook.lookup.ServedTypes.Served;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.Optional;

/** Reads the object of a question to the blockers endpoint, in any served version. Thread-safe. */
public record TargetReader(Workspaces<KubeReader> workspaces) {
  /** A version that no server has. */
  private static final String ANY = "any";

  /** The result of a read. */
  public sealed interface Reading {
    record Found(KubeObject object) implements Reading {}

    /** The object or its type does not exist. */
    record Missing(String message) implements Reading {}

    /** A namespace is missing for a namespaced type, or given for a cluster-scoped one. */
    record Misplaced(String message) implements Reading {}

    /** The read failed; the message says what to do. */
    record Unreadable(String message) implements Reading {}
  }

  public Reading read(Target target) {
    LogicalCluster cluster = target.key().cluster();
    var type = new ResourceType(target.type().group(), ANY, target.type().resource());
    try {
      KubeReader workspace = workspaces.in(cluster);
      Optional<Reading> noCluster = noCluster(workspace, cluster);
      if (noCluster.isPresent()) {
        return noCluster.get();
      }
      return switch (ServedTypes.find(workspace, type)) {
        case Served.InOtherVersions(var versions) ->
            read(
                workspace,
                target,
                new ResourceType(type.group(), versions.getFirst(), type.resource()));
        case Served.Nowhere(), Served.InNamespaces(), Served.ClusterWide() -> {
          ServedTypes.requireUnbound(workspace, type);
          yield notServed(target);
        }
      };
    } catch (KubeFailure failure) {
      return new Reading.Unreadable(MissingRight.explained(failure, "get", type, cluster));
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
      // The type was removed between the two requests.
      case Served.Nowhere(), Served.InOtherVersions(_) -> notServed(target);
    };
  }

  /**
   * Every logical cluster has a LogicalCluster object, which the shipped permissions let the
   * webhook get. kcp answers 403 for objects of a logical cluster that does not exist.
   */
  private static Optional<Reading> noCluster(KubeReader workspace, LogicalCluster cluster) {
    String message = "there is no logical cluster " + cluster;
    try {
      return WorkspaceExistence.find(workspace).isPresent()
          ? Optional.empty()
          : Optional.of(new Reading.Missing(message));
    } catch (KubeFailure failure) {
      if (failure.isAbsent()) {
        return Optional.of(new Reading.Missing(message));
      }
      if (failure.kind() == KubeFailure.Kind.FORBIDDEN) {
        return Optional.of(
            new Reading.Missing(
                message
                    + ", or the webhook may not get its LogicalCluster, which kcp answers alike"
                    + " (403): apply rbac-shard-system-admin.yaml in every shard's"
                    + " system:admin"));
      }
      throw failure;
    }
  }

  private static Reading notServed(Target target) {
    return new Reading.Missing(
        target.type() + " are not served in logical cluster " + target.key().cluster());
  }
}
