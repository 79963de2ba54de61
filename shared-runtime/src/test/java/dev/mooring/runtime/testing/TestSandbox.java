package dev.mooring.runtime.testing;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.nio.file.Path;
import java.time.Instant;

/** A sandbox that accepts the client certificates of a CA of its own. */
public final class TestSandbox implements AutoCloseable {
  private final KcpSandbox server;
  private final TestKcp kcp;

  private TestSandbox(KcpSandbox server, CertificateAuthority clients) {
    this.server = server;
    this.kcp = new TestKcp(server.kubeconfigFile(), clients);
  }

  /** With one shard, on a free port. */
  public static TestSandbox start(Path directory) {
    return start(ServerOptions.in(directory).withPort(0));
  }

  public static TestSandbox start(ServerOptions options) {
    Path directory = options.server().rootDirectory().resolve("client-ca");
    CertificateAuthority clients = CertificateAuthority.in(directory, Instant.now());
    return new TestSandbox(
        KcpSandbox.start(options.withClientCaFile(directory.resolve("ca.crt"))), clients);
  }

  public KcpSandbox server() {
    return server;
  }

  public TestKcp kcp() {
    return kcp;
  }

  @Override
  public void close() {
    server.close();
  }
}
