package dev.mooring.benchmarks.footprint;

import dev.mooring.benchmarks.protection.WebhookTransport;
import dev.mooring.harness.HttpProbe;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients of the webhook, each with a TLS connection of its own. */
final class WebhookClients implements AutoCloseable {
  private static final int PATIENCE_SECONDS = 60;

  private final ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor();
  private final AtomicInteger served = new AtomicInteger();
  private volatile boolean closed;

  private interface Exchange {
    void run(WebhookTransport webhook, AtomicInteger served) throws IOException;
  }

  /**
   * @param authority of the server's certificate, in PEM
   */
  private WebhookClients(int count, URI url, byte[] authority, Exchange exchange) {
    var trust = HttpProbe.contextsTrusting(authority);
    for (int i = 0; i < count; i++) {
      clients.execute(() -> {
        try (var webhook = new WebhookTransport(url, trust, PATIENCE_SECONDS)) {
          while (!closed) {
            try {
              exchange.run(webhook, served);
            } catch (IOException ended) {
              // A server may end a connection at any time; whether it lives is asked elsewhere.
            }
          }
        }
      });
    }
  }

  /**
   * Clients without a key: each opens a connection, sends nothing over it, and opens another as
   * soon as the server has ended it.
   */
  static WebhookClients silent(int count, URI url, byte[] authority) {
    return new WebhookClients(
        count,
        url,
        authority,
        (webhook, served) -> {
          try (var socket = webhook.connect()) {
            served.incrementAndGet();
            socket.getInputStream().read();
          }
        });
  }

  /** API servers: each keeps its connection, and sends the review over it again and again. */
  static WebhookClients reviewing(int count, URI url, byte[] authority, byte[] review) {
    return new WebhookClients(
        count,
        url,
        authority,
        (webhook, served) -> {
          String answer = new String(webhook.post(review), StandardCharsets.UTF_8);
          if (answer.contains("\"allowed\":true")) {
            served.incrementAndGet();
          }
        });
  }

  /** Connections that the server has accepted, or reviews that it has allowed, so far. */
  int served() {
    return served.get();
  }

  /** Waits until the last exchanges have ended. */
  @Override
  public void close() {
    closed = true;
    clients.close();
  }
}
