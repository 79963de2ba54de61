package dev.mooring.sandbox.http.exchange;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.server.Request;

/**
 * The events of one watch in the body of an answer: lines, or frames of protobuf that begin with
 * their length. Used by one thread.
 */
public final class EventSink {
  private final Request request;
  private final OutputStream out;
  private final AcceptHeader.Format format;

  EventSink(Request request, OutputStream out, AcceptHeader.Format format) {
    this.request = request;
    // Begins small: most watches have little to say.
    this.out = new BufferedOutputStream(out);
    this.format = format;
  }

  /** Writes events until the watch is over. */
  @FunctionalInterface
  public interface Writer {
    /** Throws {@link IOException} for a client that has left. */
    void write(EventSink events) throws IOException;
  }

  /** Sends one event, in parts that follow each other; it may wait for {@link #flush}. */
  public void send(byte[]... parts) throws IOException {
    if (format == AcceptHeader.Format.PROTOBUF) {
      int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
      out.write(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
    }
    for (byte[] part : parts) {
      out.write(part);
    }
  }

  public void flush() throws IOException {
    out.flush();
  }

  /**
   * Calls the action when the client leaves before the observation is closed: the end of events.
   */
  public ClientConnection.Observation onClientLeft(Runnable action) {
    return ClientConnection.observe(request, action);
  }
}
