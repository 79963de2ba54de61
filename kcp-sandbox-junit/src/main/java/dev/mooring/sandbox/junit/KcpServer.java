package dev.mooring.sandbox.junit;

import dev.mooring.sandbox.KcpSandbox;
import java.nio.file.Path;
import java.util.Optional;

/** A kcp that tests use. Thread-safe. */
interface KcpServer extends AutoCloseable {
  /** Of an administrator, at the server without a workspace. */
  KcpConnection admin();

  KcpClient client();

  /** A kubeconfig of the administrator, for a reader of a failure. */
  Path kubeconfigFile();

  /** What this is, if it runs in this JVM. */
  default Optional<KcpSandbox> sandbox() {
    return Optional.empty();
  }

  /** What becomes of kept workspaces after the run, and how to look at them: a sentence or two. */
  String afterwards();

  @Override
  void close();
}
