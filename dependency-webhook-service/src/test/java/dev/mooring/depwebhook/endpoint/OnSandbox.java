package dev.mooring.depwebhook.endpoint;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.fault.FaultMenu;
import java.nio.file.Path;

/** A kcp of its own for each class of tests. */
final class OnSandbox implements AutoCloseable {
  private final KcpSandbox sandbox;

  private OnSandbox(KcpSandbox sandbox) {
    this.sandbox = sandbox;
  }

  static OnSandbox start(Path directory, int shards) {
    return new OnSandbox(
        KcpSandbox.start(
            ServerOptions.in(directory.resolve("kcp")).withPort(0).withShards(shards)));
  }

  Landscape landscape(Path directory) throws Exception {
    return Landscape.on(sandbox.kubeconfigFile(), directory);
  }

  Landscape landscapeAcrossShards(Path directory) throws Exception {
    return Landscape.across(sandbox.kubeconfigFile(), directory);
  }

  Path kubeconfig() {
    return sandbox.kubeconfigFile();
  }

  FaultMenu faults() {
    return sandbox.faults();
  }

  @Override
  public void close() {
    sandbox.close();
  }
}
