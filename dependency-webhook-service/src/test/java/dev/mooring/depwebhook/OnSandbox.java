package dev.mooring.depwebhook;

import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.fault.FaultMenu;
import java.nio.file.Path;

/** A kcp of its own for each class of tests, and workspaces on it. */
public final class OnSandbox implements AutoCloseable {
  private final KcpSandbox sandbox;
  private final TestWorkspaces workspaces;

  private OnSandbox(KcpSandbox sandbox) {
    this.sandbox = sandbox;
    this.workspaces = TestWorkspaces.on(sandbox.kubeconfigFile());
  }

  public static OnSandbox start(Path directory, int shards) {
    return start(ServerOptions.in(directory.resolve("kcp")).withPort(0).withShards(shards));
  }

  public static OnSandbox start(ServerOptions options) {
    return new OnSandbox(KcpSandbox.start(options));
  }

  public TestWorkspaces workspaces() {
    return workspaces;
  }

  public KcpSandbox sandbox() {
    return sandbox;
  }

  public FaultMenu faults() {
    return sandbox.faults();
  }

  @Override
  public void close() {
    workspaces.close();
    sandbox.close();
  }
}
