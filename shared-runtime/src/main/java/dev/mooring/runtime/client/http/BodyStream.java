package dev.mooring.runtime.client.http;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The body of an answer as it comes in. A chunk is asked for only once an earlier one has been
 * read, so a slow reader slows the server and not the memory. Read by one thread.
 */
final class BodyStream extends InputStream implements AsyncBody.Consumer<List<ByteBuffer>> {
  /** Enough to keep the connection busy while one chunk is being parsed. */
  private static final int CHUNKS_AHEAD = 16;

  /** Some ten thousand objects, which take less than a second; the rest is not waited for. */
  private static final long DISCARDED_MAX_BYTES = 16 * 1024 * 1024;

  /** What a refusal says fits in far less. */
  private static final int REFUSAL_MAX_BYTES = 64 * 1024;

  private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

  /** Bounded by the chunks asked for, plus the end. */
  private final BlockingQueue<Arrival> arrivals = new LinkedBlockingQueue<>();

  /** After which a silent connection counts as lost. */
  private Duration patience;

  /** Set by open() before the stream is handed out. */
  @SuppressWarnings("NullAway.Init")
  private HttpResponse<AsyncBody> head;

  private ByteBuffer chunk = NOTHING;
  private boolean ended;
  private boolean broken;
  private volatile boolean leftEarly;

  /** On the connection's thread only. */
  private long discarded;

  private BodyStream(Duration patience) {
    this.patience = patience;
  }

  /** Of a list. Returns once the answer's status is known. */
  static BodyStream open(HttpTransport transport, URI url) throws IOException {
    var stream = new BodyStream(transport.requestTimeout());
    return stream.begin(transport.stream(url, stream));
  }

  /** Of a watch. Returns once the answer's status is known. */
  static BodyStream watch(HttpTransport transport, URI url, Duration idleMax) throws IOException {
    var stream = new BodyStream(transport.requestTimeout());
    stream.begin(transport.open(url, idleMax, stream));
    if (stream.successful()) {
      stream.patience = idleMax;
    }
    return stream;
  }

  private BodyStream begin(HttpResponse<AsyncBody> answer) {
    head = answer;
    head.body().done().whenComplete((_, cause) -> arrivals.add(new End(cause)));
    for (int ahead = 0; ahead < CHUNKS_AHEAD; ahead++) {
      head.body().consume();
    }
    return this;
  }

  boolean successful() {
    return head.isSuccessful();
  }

  /** The answer with the start of its body: enough for a refusal. */
  HttpTransport.Answer answer() throws IOException {
    return new HttpTransport.Answer(head, readNBytes(REFUSAL_MAX_BYTES));
  }

  @Override
  public void consume(List<ByteBuffer> chunks, AsyncBody from) {
    if (leftEarly) {
      discard(chunks, from);
    } else {
      chunks.forEach(bytes -> arrivals.add(new Chunk(bytes)));
    }
  }

  private void discard(List<ByteBuffer> chunks, AsyncBody from) {
    discarded += chunks.stream().mapToLong(ByteBuffer::remaining).sum();
    if (discarded > DISCARDED_MAX_BYTES) {
      from.cancel();
    } else {
      from.consume();
    }
  }

  @Override
  public int read() throws IOException {
    return fed() ? chunk.get() & 0xff : -1;
  }

  @Override
  public int read(byte[] into, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, into.length);
    if (length == 0) {
      return 0;
    }
    if (!fed()) {
      return -1;
    }
    int taken = Math.min(length, chunk.remaining());
    chunk.get(into, offset, taken);
    return taken;
  }

  /** What has come next; empty at the end. */
  Optional<ByteBuffer> next() throws IOException {
    return fed() ? Optional.of(chunk) : Optional.empty();
  }

  /** Ends a body that goes on for ever, by any thread. */
  void cancel() {
    // Afterwards it would close a connection that another request may have by then.
    if (!head.body().done().isDone()) {
      head.body().cancel();
    }
    arrivals.add(new End(null));
  }

  /**
   * Lets come in, unread, what is no longer than a long list: a connection that is closed as its
   * answer ends takes the next request with it, which it may have been given by then.
   */
  @Override
  public void close() {
    if (broken) {
      head.body().cancel();
    } else if (!ended) {
      leftEarly = true;
      head.body().consume();
    }
  }

  /** Whether there is a byte to read; waits for one. */
  private boolean fed() throws IOException {
    while (!chunk.hasRemaining()) {
      if (ended) {
        return false;
      }
      switch (arrival()) {
        case Chunk(var bytes) -> {
          chunk = bytes;
          head.body().consume();
        }
        case End(var cause) -> {
          ended = true;
          if (cause != null) {
            throw new IOException("the answer broke off: " + cause.getMessage(), cause);
          }
        }
      }
    }
    return true;
  }

  private Arrival arrival() throws IOException {
    try {
      Arrival arrival = arrivals.poll(patience.toMillis(), TimeUnit.MILLISECONDS);
      if (arrival == null) {
        broken = true;
        throw new IOException("timed out after " + patience + " without a byte");
      }
      return arrival;
    } catch (InterruptedException e) {
      broken = true;
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** What the event loop hands over. */
  private sealed interface Arrival {}

  private record Chunk(ByteBuffer bytes) implements Arrival {}

  /**
   * @param cause null if the whole body has come
   */
  private record End(@Nullable Throwable cause) implements Arrival {}
}
