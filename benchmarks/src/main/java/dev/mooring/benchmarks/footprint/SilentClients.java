package dev.mooring.benchmarks.footprint;

import dev.mooring.harness.HttpProbe;
import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * Clients without a key: each opens a TLS connection, sends nothing over it, and opens another as
 * soon as the server has ended it.
 */
final class SilentClients implements AutoCloseable {
  private static final int PATIENCE_MILLIS = 60_000;

  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger opened = new AtomicInteger();
  private volatile boolean closed;

  /**
   * @param authority of the server's certificate, in PEM
   */
  SilentClients(int count, int port, byte[] authority) {
    Supplier<SSLContext> trust = HttpProbe.contextsTrusting(authority);
    for (int i = 0; i < count; i++) {
      clients.execute(() -> {
        while (!closed) {
          connect(port, trust);
        }
      });
    }
  }

  /** Connections that the server has accepted so far. */
  int opened() {
    return opened.get();
  }

  private void connect(int port, Supplier<SSLContext> trust) {
    try (var plain = new Socket("127.0.0.1", port)) {
      plain.setSoTimeout(PATIENCE_MILLIS);
      var socket =
          (SSLSocket) trust.get().getSocketFactory().createSocket(plain, "localhost", port, false);
      socket.startHandshake();
      opened.incrementAndGet();
      socket.getInputStream().read();
    } catch (IOException ended) {
      // A server may end a connection at any time; whether it lives is asked elsewhere.
    }
  }

  @Override
  public void close() {
    closed = true;
    clients.shutdownNow();
    clients.close();
  }
}
