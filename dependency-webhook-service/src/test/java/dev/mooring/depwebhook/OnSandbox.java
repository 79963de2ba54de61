package dev.mooring.depwebhook;

import dev.mooring.runtime.testing.TestSandbox;
import dev.mooring.runtime.testing.TestWorkspaces;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.fault.FaultInjector;
import java.nio.file.Path;

/** A kcp of its own for each class of tests, and workspaces on it. */
public final class OnSandbox implements AutoCloseable {
  private final TestSandbox sandbox;
  private final TestWorkspaces workspaces;

  private OnSandbox(TestSandbox sandbox) {
    this.sandbox = sandbox;
    this.workspaces = TestWorkspaces.on(sandbox.kcp());
  }

  public static OnSandbox start(Path directory, int shards) {
    return start(ServerOptions.in(directory.resolve("kcp")).withPort(0).withShards(shards));
  }

  public static OnSandbox start(ServerOptions options) {
    return new OnSandbox(TestSandbox.start(options));
  }

  public TestWorkspaces workspaces() {
    return workspaces;
  }

  public KcpSandbox sandbox() {
    return sandbox.server();
  }

  public FaultInjector faults() {
    return sandbox.server().faults();
  }

  @Override
  public void close() {
    workspaces.close();
    sandbox.close();
  }
}
