package dev.mooring.sandbox.http.exchange;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.eclipse.jetty.server.Request;

/** Events in the body of an answer: lines, or frames of protobuf that begin with their length. */
final class PlainEvents implements EventSink {
  private final Request request;
  private final OutputStream out;
  private final AcceptHeader.Format format;

  PlainEvents(Request request, OutputStream out, AcceptHeader.Format format) {
    this.request = request;
    // Begins small: most watches have little to say.
    this.out = new BufferedOutputStream(out);
    this.format = format;
  }

  @Override
  public void send(byte[]... parts) throws IOException {
    if (format == AcceptHeader.Format.PROTOBUF) {
      int length = Arrays.stream(parts).mapToInt(part -> part.length).sum();
      out.write(ByteBuffer.allocate(Integer.BYTES).putInt(length).array());
    }
    for (byte[] part : parts) {
      out.write(part);
    }
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  @Override
  public ClientConnection.Observation onClientLeft(Runnable action) {
    return ClientConnection.observe(request, action);
  }
}
