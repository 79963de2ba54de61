package dev.mooring.benchmarks.common;

import dev.mooring.harness.Kubeconfig;
import dev.mooring.harness.Manifests;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.DeleteCondition;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.client.http.KubeConnection;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Workspaces that a run makes for itself below {@code root}, their names beginning alike; they are
 * deleted in the end. Thread-safe but for {@link #close}.
 */
public final class Workspaces implements AutoCloseable {
  private static final ResourceType TYPE =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");

  private final Path kubeconfig;
  private final Path directory;
  private final KubeConnection connection;
  private final String prefix;
  private final List<String> made = new CopyOnWriteArrayList<>();

  /**
   * @param kubeconfig of an administrator; its current context may point anywhere
   * @param directory for kubeconfigs, with the administrator's credentials in them
   * @param prefix of the workspaces' names
   */
  public Workspaces(Path kubeconfig, Path directory, String prefix, String userAgent) {
    this.kubeconfig = kubeconfig;
    this.directory = directory;
    this.connection = KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of(userAgent));
    this.prefix = prefix;
  }

  /** Makes a workspace and waits until it is ready. */
  public LogicalCluster create(String name) {
    KubeClient root = connection.client(WorkspacePath.ROOT);
    root.create(
        TYPE,
        KubeObject.of(TYPE, "Workspace", "", fullName(name))
            .with(Map.of("name", "universal", "path", "root"), "spec", "type"));
    made.add(name);
    KubeObject ready =
        Patience.await(
            "the workspace " + fullName(name) + " is ready",
            () ->
                root.find(TYPE, "", fullName(name))
                    .filter(workspace -> workspace.text("status", "phase").equals("Ready")));
    return new LogicalCluster(ready.text("spec", "cluster"));
  }

  /** As if made here: deleted in the end. */
  public void adopt(String name) {
    made.add(name);
  }

  public WorkspacePath path(String name) {
    return WorkspacePath.ROOT.child(fullName(name));
  }

  public KubeClient client(String name) {
    return connection.client(path(name));
  }

  /** For a URL of the same server, such as that of a virtual workspace. */
  public KubeClient client(URI url) {
    return connection.client(url);
  }

  /** Writes a kubeconfig of the same administrator that points at the workspace. */
  public Path kubeconfigFor(String name) {
    return Kubeconfig.read(kubeconfig)
        .at(path(name))
        .write(directory.resolve(name + ".kubeconfig"));
  }

  public Path directory() {
    return directory;
  }

  /** Creates an object that a new workspace, or one with a new type, refuses for a moment. */
  public static KubeObject create(KubeClient client, KubeObject object) {
    ResourceType type = Manifests.typeOf(object);
    return Patience.await(
        type + " " + object.name() + " can be created",
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

  @Override
  public void close() {
    KubeClient root = connection.client(WorkspacePath.ROOT);
    for (String name : made) {
      try {
        root.delete(TYPE, "", fullName(name), new DeleteCondition.Unconditional());
      } catch (KubeFailure e) {
        System.err.println("Left behind: " + e.getMessage());
      }
    }
    connection.close();
  }

  private String fullName(String name) {
    return prefix + "-" + name;
  }
}
