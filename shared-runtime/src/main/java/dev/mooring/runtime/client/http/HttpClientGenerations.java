package dev.mooring.runtime.client.http;

import dev.mooring.runtime.client.WatchQuery;
import dev.mooring.runtime.time.Scheduler;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The generation that takes new requests, and former ones, which only finish theirs. Thread-safe.
 */
final class HttpClientGenerations implements AutoCloseable {
  /**
   * After which a former generation is closed with its open requests. A watch is asked for two
   * minutes ({@link WatchQuery#LIFE}) and given up soon after them, so what is cut off here is no
   * ordinary one; its reader sees it break off and asks again.
   */
  static final Duration FORMER_LIFE_MAX = Duration.ofMinutes(5);

  /** Each has threads of its own; credentials that change more often cut the oldest off. */
  static final int FORMER_MAX = 3;

  private final Deque<Former> formers = new ArrayDeque<>();
  private volatile HttpClientGeneration current;
  private boolean closed;

  HttpClientGenerations(HttpClient http) {
    this.current = new HttpClientGeneration(http);
  }

  HttpRequest.Builder request() {
    return current.request();
  }

  CompletableFuture<HttpResponse<AsyncBody>> begin(
      HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) throws IOException {
    try {
      return entered().begin(request, consumer);
    } catch (IllegalStateException e) {
      throw new IOException("the connection was closed", e);
    }
  }

  private HttpClientGeneration entered() {
    HttpClientGeneration line = current;
    while (!line.enter()) {
      line = current; // its successor is current before it refuses requests
    }
    return line;
  }

  /**
   * Sends new requests through this one. The former generation finishes requests under way, for
   * {@link #FORMER_LIFE_MAX} at most.
   */
  void succeed(HttpClient http, Scheduler scheduler) {
    HttpClientGeneration former;
    synchronized (this) {
      if (closed) {
        http.close();
        return;
      }
      former = current;
      current = new HttpClientGeneration(http);
      formers.removeIf(Former::over);
      formers.addLast(new Former(former, scheduler.after(FORMER_LIFE_MAX, former::close)));
      if (formers.size() > FORMER_MAX) {
        formers.removeFirst().close();
      }
    }
    former.retire();
  }

  /** How many are not closed. */
  synchronized int open() {
    long open = formers.stream().filter(former -> !former.line().isClosed()).count();
    return Math.toIntExact(open) + (current.isClosed() ? 0 : 1);
  }

  @Override
  public synchronized void close() {
    closed = true;
    formers.forEach(Former::close);
    formers.clear();
    current.close();
  }

  /**
   * @param end closes it
   */
  private record Former(HttpClientGeneration line, Scheduler.Scheduled end) {
    boolean over() {
      if (line.isClosed()) {
        end.cancel();
        return true;
      }
      return false;
    }

    void close() {
      end.cancel();
      line.close();
    }
  }
}
