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
 * The client with the present credentials, which takes new requests, and former ones, which only
 * finish theirs. Thread-safe.
 */
final class HttpClientGenerations implements AutoCloseable {
  /**
   * After which a former client is closed with its open requests. A watch is asked for two minutes
   * ({@link WatchQuery#LIFE}) and given up soon after them, so what is cut off here is no ordinary
   * one; its reader sees it break off and asks again.
   */
  static final Duration FORMER_LIFE = Duration.ofMinutes(5);

  /** Each has threads of its own; credentials that change more often cut the oldest off. */
  static final int FORMER_MAX = 3;

  private final Deque<Former> formers = new ArrayDeque<>();
  private volatile HttpClient current;
  private boolean closed;

  HttpClientGenerations(HttpClient http) {
    this.current = http;
  }

  HttpRequest.Builder request() {
    return current.newHttpRequestBuilder();
  }

  CompletableFuture<HttpResponse<AsyncBody>> begin(
      HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) throws IOException {
    try {
      return current.consumeBytes(request, consumer);
    } catch (IllegalStateException e) {
      throw new IOException("the connection was closed", e);
    }
  }

  /** Sends new requests through this client; the one before is closed after a while. */
  synchronized void succeed(HttpClient http, Scheduler scheduler) {
    if (closed) {
      http.close();
      return;
    }
    HttpClient former = current;
    current = http;
    formers.removeIf(each -> each.http().isClosed());
    formers.addLast(new Former(former, scheduler.after(FORMER_LIFE, former::close)));
    if (formers.size() > FORMER_MAX) {
      formers.removeFirst().close();
    }
  }

  /** How many are not closed. */
  synchronized int open() {
    long open = formers.stream().filter(former -> !former.http().isClosed()).count();
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
  private record Former(HttpClient http, Scheduler.Scheduled end) {
    void close() {
      end.cancel();
      http.close();
    }
  }
}
