package dev.mooring.runtime.client.http;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.WatchHandle;
import dev.mooring.runtime.client.WatchSink;
import dev.mooring.runtime.client.WatchSink.WatchEventType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One watch over plain HTTP, cut into lines and delivered on a virtual thread of its own. A slow
 * sink slows the server and not the memory.
 */
final class HttpWatch implements WatchHandle {
  /** As large as kcp's largest object (etcd's 1.5 MiB request limit, JSON-escaped) and more. */
  static final int LINE_MAX_BYTES = 8 * 1024 * 1024;

  private final String request;
  private final RequestTarget target;
  private final WatchSink sink;
  private final BodyStream body;
  private final LineFramer framer = new LineFramer(LINE_MAX_BYTES);

  /** Guarded by this object's lock, as each call of the sink is: none follows a close. */
  private boolean closed;

  private HttpWatch(String request, RequestTarget target, WatchSink sink, BodyStream body) {
    this.request = request;
    this.target = target;
    this.sink = sink;
    this.body = body;
  }

  static HttpWatch open(
      HttpTransport transport, URI url, RequestTarget target, Duration idleMax, WatchSink sink) {
    String request = HttpKubeClient.named("WATCH", url);
    try {
      BodyStream body = BodyStream.watch(transport, url, idleMax);
      if (!body.successful()) {
        try (body) {
          throw Failures.answered(request, target, body.answer());
        }
      }
      var watch = new HttpWatch(request, target, sink, body);
      Thread.ofVirtual().name("watch " + target.path()).start(watch::deliverAll);
      return watch;
    } catch (IOException e) {
      throw Failures.unanswered(request, e);
    }
  }

  @Override
  public void close() {
    end(null);
  }

  private void deliverAll() {
    try {
      for (Optional<ByteBuffer> chunk = body.next(); chunk.isPresent(); chunk = body.next()) {
        for (byte[] line : framer.lines(chunk.get())) {
          deliver(KubeJson.readObject(line));
        }
      }
      end(brokenOff());
    } catch (KubeFailure e) {
      end(e);
    } catch (IOException e) {
      end(Failures.unanswered(request, e));
    } catch (RuntimeException | Error | LineFramer.LineTooLong e) {
      // Malformed text, or a sink that failed, perhaps because memory ran out: either way events
      // may be missing from here on, and a watch that ended without a word would look open for
      // good.
      end(Failures.unreadable(request, 200, e));
    }
  }

  private @Nullable KubeFailure brokenOff() {
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
    synchronized (this) {
      if (!closed) {
        sink.event(type, KubeObject.owning(event.map("object")));
      }
    }
  }

  private synchronized void end(@Nullable KubeFailure cause) {
    if (closed) {
      return;
    }
    closed = true;
    body.cancel();
    sink.closed(cause);
  }

  /** Cuts a stream of bytes at its newlines. Not thread-safe. */
  static final class LineFramer {
    private final int lineMaxBytes;
    private final ByteArrayOutputStream partial = new ByteArrayOutputStream();

    /** Lines longer than this are refused, so that a broken server cannot fill the memory. */
    LineFramer(int lineMaxBytes) {
      this.lineMaxBytes = lineMaxBytes;
    }

    /**
     * The lines that this chunk completes, without their newlines; empty lines are left out. Throws
     * {@link LineTooLong} once a line exceeds the bound, complete or not.
     */
    List<byte[]> lines(ByteBuffer chunk) throws LineTooLong {
      var lines = new ArrayList<byte[]>();
      var bytes = new byte[chunk.remaining()];
      chunk.get(bytes);
      int start = 0;
      for (int at = 0; at < bytes.length; at++) {
        if (bytes[at] == '\n') {
          append(bytes, start, at);
          if (partial.size() > 0) {
            lines.add(partial.toByteArray());
            partial.reset();
          }
          start = at + 1;
        }
      }
      append(bytes, start, bytes.length);
      return lines;
    }

    /** Whether the stream so far ends within a line. */
    boolean withinLine() {
      return partial.size() > 0;
    }

    private void append(byte[] bytes, int start, int end) throws LineTooLong {
      if (partial.size() + (end - start) > lineMaxBytes) {
        throw new LineTooLong(lineMaxBytes);
      }
      partial.write(bytes, start, end - start);
    }

    /** A line beyond the bound: the stream cannot be read on. */
    static final class LineTooLong extends Exception {
      private static final long serialVersionUID = 1L;

      LineTooLong(int lineMaxBytes) {
        super("a line of the stream is longer than " + lineMaxBytes + " bytes");
      }
    }
  }
}
