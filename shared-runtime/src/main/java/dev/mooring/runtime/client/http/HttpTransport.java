package dev.mooring.runtime.client.http;

import dev.mooring.runtime.client.credentials.ConnectionOptions;
import dev.mooring.runtime.trace.WorkSpan;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests as bytes and waits for their answers; every answer is returned, with any status.
 * Thread-safe; blocks the calling thread.
 */
final class HttpTransport {
  /**
   * An eighth of the heap, as an answer takes several times its size; at least ten objects of the
   * largest size that etcd stores. Lists are paged.
   */
  private static final long BODY_MAX_BYTES =
      Math.clamp(Runtime.getRuntime().maxMemory() / 8, 16L << 20, 512L << 20);

  private final HttpClientGenerations lines;
  private final ConnectionOptions options;
  private final RequestCounters requests;
  private final BooleanSupplier mayWrite;

  HttpTransport(HttpClientGenerations lines, ConnectionOptions options) {
    this(lines, options, new RequestCounters(), () -> true);
  }

  private HttpTransport(
      HttpClientGenerations lines,
      ConnectionOptions options,
      RequestCounters requests,
      BooleanSupplier mayWrite) {
    this.lines = lines;
    this.options = options;
    this.requests = requests;
    this.mayWrite = mayWrite;
  }

  /** The same, but for requests that are not sent. */
  HttpTransport writingWhile(BooleanSupplier condition) {
    return new HttpTransport(lines, options, requests, condition);
  }

  /**
   * @param contentType ignored without a body
   * @param body null for none
   * @throws IOException if no complete answer came in time, or if it may not be sent
   */
  Answer send(String method, URI url, @Nullable String contentType, byte @Nullable [] body)
      throws IOException {
    if (!method.equals("GET") && !mayWrite.getAsBoolean()) {
      throw new IOException("not sent: this process may not write any more, another one may");
    }
    HttpRequest.Builder request =
        request(url).timeout(options.requestTimeout().toMillis(), TimeUnit.MILLISECONDS);
    if (body == null) {
      request.method(method, null, null);
    } else {
      request.method(method, contentType, new String(body, StandardCharsets.UTF_8));
    }
    RequestCounters.Method counted = RequestCounters.Method.of(method, url);
    try {
      var collected = new BodyCollector();
      HttpResponse<AsyncBody> head =
          await(lines.begin(request.build(), collected), options.requestTimeout());
      Answer answer = collected.answer(head, options.requestTimeout());
      answered(counted, head.code());
      return answer;
    } catch (IOException e) {
      unanswered(counted);
      throw e;
    }
  }

  /**
   * Sends a GET whose answer is read on as it comes; returns once the status is known. The answer's
   * body delivers nothing before {@link AsyncBody#consume()} is called.
   *
   * @param idleMax after which a silent connection counts as lost
   */
  HttpResponse<AsyncBody> open(
      URI url, Duration idleMax, AsyncBody.Consumer<List<ByteBuffer>> consumer) throws IOException {
    HttpRequest request =
        request(url).timeout(idleMax.toMillis(), TimeUnit.MILLISECONDS).forStreaming().build();
    return await(lines.begin(request, consumer), options.requestTimeout());
  }

  /** As {@link #open}, for an answer that has to be complete in time like any other. */
  HttpResponse<AsyncBody> stream(URI url, AsyncBody.Consumer<List<ByteBuffer>> consumer)
      throws IOException {
    try {
      HttpResponse<AsyncBody> head = open(url, options.requestTimeout(), consumer);
      answered(RequestCounters.Method.GET, head.code());
      return head;
    } catch (IOException e) {
      unanswered(RequestCounters.Method.GET);
      throw e;
    }
  }

  private void answered(RequestCounters.Method method, int code) {
    requests.add(method, RequestCounters.Outcome.of(code));
    RequestSpans.answered(method, code);
  }

  private void unanswered(RequestCounters.Method method) {
    requests.add(method, RequestCounters.Outcome.UNAVAILABLE);
    RequestSpans.unanswered();
  }

  RequestCounters requests() {
    return requests;
  }

  Duration requestTimeout() {
    return options.requestTimeout();
  }

  private HttpRequest.Builder request(URI url) {
    HttpRequest.Builder request =
        lines
            .request()
            .uri(url)
            .header("Accept", "application/json")
            .header("User-Agent", options.userAgent());
    WorkSpan.current().propagate(request, HttpRequest.Builder::header);
    return request;
  }

  static <T> T await(CompletableFuture<T> future, Duration timeout) throws IOException {
    try {
      return future.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(reason(e), e.getCause());
    } catch (TimeoutException e) {
      future.cancel(true);
      throw new IOException("timed out after " + timeout, e);
    } catch (InterruptedException e) {
      future.cancel(true);
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  private static String reason(ExecutionException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  /** An answer with its body; of a refusal, with the body's start. */
  record Answer(HttpResponse<?> head, byte[] body) {
    /** Empty if none was given. */
    String contentType() {
      String type = head.header("Content-Type");
      return type == null ? "" : type;
    }

    /** Null if the server asked for no delay. */
    @Nullable Duration retryAfter() {
      String seconds = head.header("Retry-After");
      return seconds != null && seconds.matches("[0-9]{1,6}")
          ? Duration.ofSeconds(Long.parseLong(seconds))
          : null;
    }
  }

  /** Gathers a whole body up to the bound. */
  static final class BodyCollector implements AsyncBody.Consumer<List<ByteBuffer>> {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    @Override
    public void consume(List<ByteBuffer> chunks, AsyncBody body) throws IOException {
      for (ByteBuffer chunk : chunks) {
        if (bytes.size() + chunk.remaining() > BODY_MAX_BYTES) {
          throw new IOException("the answer is larger than " + BODY_MAX_BYTES + " bytes");
        }
        var copy = new byte[chunk.remaining()];
        chunk.get(copy);
        bytes.writeBytes(copy);
      }
      body.consume();
    }

    Answer answer(HttpResponse<AsyncBody> head, Duration timeout) throws IOException {
      AsyncBody body = head.body();
      body.consume();
      try {
        await(body.done(), timeout);
      } catch (IOException e) {
        body.cancel();
        throw e;
      }
      return new Answer(head, bytes.toByteArray());
    }
  }
}
