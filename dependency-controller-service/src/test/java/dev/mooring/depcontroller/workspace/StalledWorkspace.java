package dev.mooring.depcontroller.workspace;

import com.sun.net.httpserver.HttpExchange;
import dev.mooring.runtime.client.StubServer;
import dev.mooring.runtime.client.http.KubeConnection;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A server whose every workspace has one list, and watches in which nothing happens; each may come
 * to refuse both, or to be there no more.
 */
final class StalledWorkspace implements AutoCloseable {
  private final String list;
  private final StubServer server;
  private final KubeConnection kcp;
  private volatile CountDownLatch watches = new CountDownLatch(1);
  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private volatile Answer otherwise = Answer.LIST;
  private volatile Watches kind = Watches.NEVER_END;

  /** As long as nobody ends them. */
  enum Watches {
    NEVER_END,
    /** When they were asked to, as kcp's do. */
    END_IN_TIME
  }

  /** Of a workspace, as kcp gives it. */
  enum Answer {
    LIST,
    REFUSAL,
    /** As a front proxy, or whoever has no page for a type, gives it. */
    NO_PAGE,
    NO_SUCH_WORKSPACE
  }

  /**
   * @param files an empty directory
   */
  StalledWorkspace(Path files, String apiVersion, String kind, String items) {
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
    answer(Answer.REFUSAL);
  }

  /** From now on, in all workspaces but those that were given one of their own; watches end. */
  void answer(Answer answer) {
    otherwise = answer;
    endWatches();
  }

  /** Of one workspace, from now on; all watches end. */
  void answer(String workspace, Answer answer) {
    answers.put(workspace, answer);
    endWatches();
  }

  /** From now on; all that are there end. */
  void watches(Watches other) {
    kind = other;
    endWatches();
  }

  private void endWatches() {
    CountDownLatch ending = watches;
    watches = new CountDownLatch(1);
    ending.countDown();
  }

  private void answer(StubServer.Asked asked, HttpExchange exchange) throws IOException {
    CountDownLatch end = watches;
    String workspace = asked.target().replaceFirst("^/clusters/", "").replaceFirst("/.*", "");
    switch (answers.getOrDefault(workspace, otherwise)) {
      case REFUSAL -> fail(exchange, 403, "Forbidden", "access denied");
      case NO_PAGE -> StubServer.reply(exchange, 404, "text/plain", "404 page not found");
      case NO_SUCH_WORKSPACE ->
          fail(
              exchange,
              404,
              "NotFound",
              "workspaces.tenancy.kcp.io '%s' not found".formatted(workspace));
      case LIST -> {
        if (asked.target().contains("watch=")) {
          exchange.sendResponseHeaders(200, 0);
          try {
            switch (kind) {
              case NEVER_END -> end.await();
              case END_IN_TIME -> end.await(life(asked.target()), TimeUnit.SECONDS);
            }
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
          exchange.close();
        } else {
          StubServer.reply(exchange, 200, "application/json", list);
        }
      }
    }
  }

  private static long life(String target) {
    return Long.parseLong(target.replaceFirst(".*timeoutSeconds=([0-9]+).*", "$1"));
  }

  private static void fail(HttpExchange exchange, int code, String reason, String message)
      throws IOException {
    StubServer.reply(
        exchange,
        code,
        "application/json",
        """
        {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "%s",
         "message": "%s", "code": %d}\
        """
            .formatted(reason, message, code));
  }

  @Override
  public void close() {
    watches.countDown();
    kcp.close();
    server.close();
  }
}
