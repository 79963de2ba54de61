package dev.mooring.depwebhook.admission;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * Reads the body of a review, with a time limit: an API server has the whole body before it sends
 * the first byte. One read blocks for at most {@code server.tomcat.connection-timeout}, so the
 * limit is exceeded by at most that.
 */
final class BodyReader {
  /** For one part of a body, independent of the timeout of the API server. */
  static final Duration PART = Duration.ofSeconds(5);

  private static final int CHUNK = 64 << 10;

  private final InputStream body;
  private final InstantSource clock;
  private final Instant latest;

  /**
   * @param latest after which no part is read, because no response would be in time
   */
  BodyReader(InputStream body, InstantSource clock, Instant latest) {
    this.body = body;
    this.clock = clock;
    this.latest = latest;
  }

  /**
   * The next bytes; fewer than asked for only at the end of the body.
   *
   * @throws SlowBodyException if they do not come in time
   */
  byte[] read(int most) throws IOException {
    var read = new ByteArrayOutputStream(Math.min(most, CHUNK));
    each(most, read::write);
    return read.toByteArray();
  }

  /** As {@link #read}, without keeping the bytes. */
  void skip(int most) throws IOException {
    each(most, (_, _, _) -> {});
  }

  private void each(int most, Sink sink) throws IOException {
    Instant end = end();
    var chunk = new byte[Math.min(most, CHUNK)];
    int count = 0;
    while (count < most) {
      int read = body.read(chunk, 0, Math.min(chunk.length, most - count));
      if (read < 0) {
        return;
      }
      sink.write(chunk, 0, read);
      count += read;
      if (count < most && clock.instant().isAfter(end)) {
        throw new SlowBodyException(count);
      }
    }
  }

  private Instant end() {
    Instant part = clock.instant().plus(PART);
    return part.isBefore(latest) ? part : latest;
  }

  @FunctionalInterface
  private interface Sink {
    void write(byte[] bytes, int offset, int length);
  }
}
