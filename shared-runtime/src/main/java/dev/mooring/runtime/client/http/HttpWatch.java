package dev.mooring.runtime.client.http;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.WatchHandle;
import dev.mooring.runtime.client.WatchSink;
import dev.mooring.runtime.client.WatchSink.WatchEventType;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * One watch over plain HTTP: chunks come in on the client's event loop, are handed over, cut into
 * lines and delivered on a virtual thread of the watch. A chunk is asked for only once an earlier
 * one has been delivered, so a slow sink slows the server and not the memory.
 */
final class HttpWatch implements WatchHandle, AsyncBody.Consumer<List<ByteBuffer>> {
  /** As large as kcp's largest object (etcd's 1.5 MiB request limit, JSON-escaped) and more. */
  static final int LINE_MAX_BYTES = 8 * 1024 * 1024;

  /** Enough to keep the connection busy while one chunk is being parsed. */
  private static final int CHUNKS_AHEAD = 32;

  private final String request;
  private final RequestTarget target;
  private final WatchSink sink;
  private final LineFramer framer = new LineFramer(LINE_MAX_BYTES);

  /** Bounded by the chunks asked for, plus the end. */
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();

  /** Held while the sink is called, so that nothing is delivered after a close. */
  private final ReentrantLock delivery = new ReentrantLock();

  /** Set before the delivering thread starts; null while no watch is open. */
  @SuppressWarnings("NullAway.Init")
  private volatile AsyncBody body;

  /** Whether the server has sent all there is. */
  private volatile boolean ended;

  private boolean closed;

  private HttpWatch(String request, RequestTarget target, WatchSink sink) {
    this.request = request;
    this.target = target;
    this.sink = sink;
  }

  static HttpWatch open(
      HttpTransport transport, URI url, RequestTarget target, Duration idleMax, WatchSink sink) {
    String request = HttpKubeClient.named("WATCH", url);
    var watch = new HttpWatch(request, target, sink);
    try {
      HttpResponse<AsyncBody> head = transport.open(url, idleMax, watch);
      if (head.code() != 200) {
        throw Failures.answered(request, target, watch.refusal(head, transport.requestTimeout()));
      }
      watch.start(head.body());
      return watch;
    } catch (IOException e) {
      throw Failures.unanswered(request, e);
    }
  }

  @Override
  public void consume(List<ByteBuffer> chunks, AsyncBody from) {
    chunks.forEach(chunk -> arrivals.add(new Chunk(chunk)));
  }

  @Override
  public void close() {
    end(null);
  }

  /** The body of an answer that opened no watch; it came in as chunks as well. */
  private HttpAnswer refusal(HttpResponse<AsyncBody> head, Duration timeout) throws IOException {
    var collected = new HttpTransport.BodyCollector();
    head.body().done().whenComplete((_, _) -> arrivals.add(new End(null)));
    head.body().consume();
    try {
      while (arrivals.poll(timeout.toMillis(), java.util.concurrent.TimeUnit.MILLISECONDS)
          instanceof Chunk(ByteBuffer bytes)) {
        collected.consume(List.of(bytes), head.body());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      head.body().cancel();
    }
    return collected.answer(head);
  }

  private void start(AsyncBody opened) {
    body = opened;
    opened
        .done()
        .whenComplete((_, cause) -> {
          ended = true;
          arrivals.add(new End(cause));
        });
    Thread.ofVirtual().name("watch " + target.path()).start(this::deliverAll);
    for (int ahead = 0; ahead < CHUNKS_AHEAD; ahead++) {
      opened.consume();
    }
  }

  private void deliverAll() {
    try {
      while (true) {
        switch (arrivals.take()) {
          case Chunk(ByteBuffer bytes) -> {
            for (byte[] line : framer.lines(bytes)) {
              deliver(KubeJson.readObject(line));
            }
            body.consume();
          }
          case End(@Nullable Throwable cause) -> {
            end(brokenOff(cause));
            return;
          }
        }
      }
    } catch (KubeFailure e) {
      end(e);
    } catch (RuntimeException | Error | LineFramer.LineTooLong e) {
      // Malformed text, or a sink that failed, perhaps because memory ran out: either way events
      // may be
      // missing from here on, and a watch that ended without a word would look open for good.
      end(Failures.unreadable(request, 200, e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      end(Failures.unanswered(request, e));
    }
  }

  private @Nullable KubeFailure brokenOff(@Nullable Throwable cause) {
    if (cause != null) {
      return Failures.unanswered(request, cause);
    }
    return framer.withinLine()
        ? Failures.unanswered(request, new IOException("the stream ended within an event"))
        : null;
  }

  private void deliver(KubeObject event) {
    WatchEventType type =
        switch (event.text("type")) {
          case "ADDED" -> WatchEventType.ADDED;
          case "MODIFIED" -> WatchEventType.MODIFIED;
          case "DELETED" -> WatchEventType.DELETED;
          case "BOOKMARK" -> WatchEventType.BOOKMARK;
          case "ERROR" ->
              throw Failures.inStream(request, target, KubeObject.owning(event.map("object")));
          default -> throw new MalformedJson("unknown watch event: " + event.text("type"));
        };
    delivery.lock();
    try {
      if (!closed) {
        sink.event(type, KubeObject.owning(event.map("object")));
      }
    } finally {
      delivery.unlock();
    }
  }

  private void end(@Nullable KubeFailure cause) {
    delivery.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      if (!ended) {
        // Afterwards it would close a connection that another request may have by then.
        body.cancel();
      }
      sink.closed(cause);
    } finally {
      delivery.unlock();
    }
    arrivals.add(new End(null));
  }

  /** What the event loop hands over. */
  private sealed interface Arrival {}

  private record Chunk(ByteBuffer bytes) implements Arrival {}

  /**
   * @param cause null if the server ended the stream in the ordinary way
   */
  private record End(@Nullable Throwable cause) implements Arrival {}
}
