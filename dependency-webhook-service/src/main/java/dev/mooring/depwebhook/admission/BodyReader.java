package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.reading.Deadline;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;

/**
 * Reads the body of a review, with a time limit: an API server has the whole body before it sends
 * the first byte. One read blocks for at most {@code server.tomcat.connection-timeout}, so the
 * limit is exceeded by at most that.
 */
public record BodyReader(InputStream body, Deadline deadline) {
  /** For one part of a body, independent of the timeout of the API server. */
  static final Duration PART = Duration.ofSeconds(5);

  private static final int CHUNK = 64 << 10;

  /** The body did not come in the time in which an API server sends one. */
  public static final class SlowBody extends IOException {
    private static final long serialVersionUID = 1L;

    SlowBody(int bytes) {
      super("only " + bytes + " bytes of the review came within the time for its body");
    }
  }

  /**
   * The next bytes; fewer than asked for only at the end of the body.
   *
   * @throws SlowBody if they do not come in time
   */
  byte[] read(int most) throws IOException {
    var read = new ByteArrayOutputStream(Math.min(most, CHUNK));
    copy(most, read);
    return read.toByteArray();
  }

  /** As {@link #read}, without keeping the bytes. */
  void skip(int most) throws IOException {
    copy(most, OutputStream.nullOutputStream());
  }

  private void copy(int most, OutputStream to) throws IOException {
    Instant end = end();
    var chunk = new byte[Math.min(most, CHUNK)];
    int count = 0;
    while (count < most) {
      int read = body.read(chunk, 0, Math.min(chunk.length, most - count));
      if (read < 0) {
        return;
      }
      to.write(chunk, 0, read);
      count += read;
      if (count < most && deadline.now().isAfter(end)) {
        throw new SlowBody(count);
      }
    }
  }

  private Instant end() {
    Instant part = deadline.now().plus(PART);
    return part.isBefore(deadline.evaluateBy()) ? part : deadline.evaluateBy();
  }
}
