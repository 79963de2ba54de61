package dev.mooring.runtime.client.http;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The connections that one set of credentials opens, and how many answers they have yet to bring.
 * Thread-safe.
 */
final class HttpClientGeneration implements AutoCloseable {
  private final HttpClient http;
  private int underWay;
  private boolean retired;

  HttpClientGeneration(HttpClient http) {
    this.http = http;
  }

  HttpRequest.Builder request() {
    return http.newHttpRequestBuilder();
  }

  /** Claims a place for one request, to be begun then; false once there is a successor. */
  synchronized boolean enter() {
    if (retired) {
      return false;
    }
    underWay++;
    return true;
  }

  /**
   * @throws IllegalStateException if it is closed
   */
  CompletableFuture<HttpResponse<AsyncBody>> begin(
      HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
    CompletableFuture<HttpResponse<AsyncBody>> answer;
    try {
      answer = http.consumeBytes(request, consumer);
    } catch (RuntimeException e) {
      leave();
      throw e;
    }
    answer.whenComplete((head, _) -> {
      if (head == null) {
        leave();
      } else {
        head.body().done().whenComplete((_, _) -> leave());
      }
    });
    return answer;
  }

  private void leave() {
    synchronized (this) {
      underWay--;
      if (!retired || underWay > 0) {
        return;
      }
    }
    close();
  }

  /** Lets no more requests in, and is closed once the last answer has come. */
  void retire() {
    synchronized (this) {
      retired = true;
      if (underWay > 0) {
        return;
      }
    }
    close();
  }

  boolean isClosed() {
    return http.isClosed();
  }

  /** Ends requests under way, too. Idempotent. */
  @Override
  public void close() {
    http.close();
  }
}
