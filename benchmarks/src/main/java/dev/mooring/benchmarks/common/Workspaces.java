package dev.mooring.benchmarks.common;

import dev.mooring.harness.Kubeconfig;
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
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Workspaces that a run makes for itself below {@code root}, their names beginning alike.
 * Thread-safe but for {@link #close}.
 */
public final class Workspaces implements AutoCloseable {
  public static final ResourceType TYPE =
      new ResourceType("tenancy.kcp.io", "v1alpha1", "workspaces");

  /** What becomes of the workspaces when the run ends. */
  public enum End {
    DELETED,
    /** For a server that ends as well. */
    LEFT
  }

  private final Path kubeconfig;
  private final Path directory;
  private final End end;
  private final KubeConnection connection;
  private final String prefix = "benchmark-" + UUID.randomUUID().toString().substring(0, 8) + "-";
  private final List<String> made = new CopyOnWriteArrayList<>();

  /**
   * @param kubeconfig of an administrator; its current context may point anywhere
   * @param directory for kubeconfigs, with the administrator's credentials in them
   */
  Workspaces(Path kubeconfig, Path directory, End end) {
    this.kubeconfig = kubeconfig;
    this.directory = directory;
    this.end = end;
    this.connection = KubeConnection.fromKubeconfig(kubeconfig, ConnectionOptions.of("benchmark"));
  }

  /** Makes a workspace and waits until it is ready. */
  public Workspace create(String name) {
    WorkspacePath path = adopt(name);
    KubeClient root = connection.client(WorkspacePath.ROOT);
    root.create(TYPE, object(path.name()));
    KubeObject ready =
        Waiting.await(
            "the workspace " + path + " is ready",
            () ->
                root.find(TYPE, "", path.name())
                    .filter(workspace -> workspace.text("status", "phase").equals("Ready")));
    return new Workspace(
        name, path, new LogicalCluster(ready.text("spec", "cluster")), connection.client(path));
  }

  /** As a client creates it. */
  public static KubeObject object(String name) {
    return KubeObject.of(TYPE, "Workspace", "", name)
        .with(Map.of("name", "universal", "path", "root"), "spec", "type");
  }

  /** Counts a workspace that another client makes as one of these; its path. */
  public WorkspacePath adopt(String name) {
    made.add(prefix + name);
    return WorkspacePath.ROOT.child(prefix + name);
  }

  /** For a URL of the same server, such as that of a virtual workspace. */
  public KubeClient client(URI url) {
    return connection.client(url);
  }

  /** Writes a kubeconfig of the same administrator that points at the workspace. */
  public Path kubeconfigFor(Workspace workspace) {
    return Kubeconfig.read(kubeconfig)
        .at(workspace.path())
        .write(directory.resolve(workspace.name() + ".kubeconfig"));
  }

  public Path directory() {
    return directory;
  }

  @Override
  public void close() {
    if (end == End.DELETED) {
      made.forEach(this::delete);
    }
    connection.close();
  }

  private void delete(String name) {
    try {
      connection
          .client(WorkspacePath.ROOT)
          .delete(TYPE, "", name, new DeleteCondition.Unconditional());
    } catch (KubeFailure e) {
      System.err.println("Left behind: " + e.getMessage());
    }
  }
}
