package dev.mooring.depcontroller.workspace;

import com.sun.net.httpserver.HttpExchange;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.client.StubServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * A server whose every workspace has one list, and watches in which nothing happens; may come to
 * refuse both.
 */
final class QuietWorkspace implements AutoCloseable {
  private final String list;
  private final StubServer server;
  private final KubeConnection kcp;
  private volatile CountDownLatch watches = new CountDownLatch(1);
  private volatile boolean refuses;

  /**
   * @param files an empty directory
   */
  QuietWorkspace(Path files, String apiVersion, String kind, String items) {
    this.list =
        """
        {"apiVersion": "%s", "kind": "%s", "metadata": {"resourceVersion": "1"}, "items": [%s]}\
        """
            .formatted(apiVersion, kind, items);
    this.server = StubServer.start(this::answer);
    this.kcp = server.connect(files, "/clusters/root:org", "{}");
  }

  WorkspaceAccess access() {
    return new WorkspaceAccess(kcp, "");
  }

  /** Targets of the requests so far. */
  List<String> asked() {
    return server.asked().stream().map(StubServer.Asked::target).toList();
  }

  /** From now on; watches end, as they do when their time is over. */
  void refuse() {
    refuses = true;
    watches.countDown();
  }

  /** Again. */
  void answer() {
    watches = new CountDownLatch(1);
    refuses = false;
  }

  private void answer(StubServer.Asked asked, HttpExchange exchange) throws IOException {
    CountDownLatch end = watches;
    if (refuses) {
      StubServer.reply(
          exchange,
          403,
          "application/json",
          """
          {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "Forbidden",
           "message": "access denied", "code": 403}\
          """);
    } else if (asked.target().contains("watch=")) {
      exchange.sendResponseHeaders(200, 0);
      try {
        end.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      exchange.close();
    } else {
      StubServer.reply(exchange, 200, "application/json", list);
    }
  }

  @Override
  public void close() {
    watches.countDown();
    kcp.close();
    server.close();
  }
}
