package dev.mooring.sandbox.http.exchange;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.eclipse.jetty.io.Content;

/**
 * An answer's text in parts that follow each other. Those of a list are the texts that the store
 * has: however many clients list at once, nothing is copied for each.
 *
 * @param parts each with an array, whose bytes do not change
 */
public record Body(List<ByteBuffer> parts) {
  private static final int CHUNK = 32 * 1024;

  public static Body of(byte[] whole) {
    return new Body(List.of(ByteBuffer.wrap(whole)));
  }

  /** In bytes. */
  long length() {
    long length = 0;
    for (ByteBuffer part : parts) {
      length += part.remaining();
    }
    return length;
  }

  byte[] whole() throws IOException {
    var bytes = new ByteArrayOutputStream((int) length());
    writeTo(bytes);
    return bytes.toByteArray();
  }

  Body compressed() throws IOException {
    var bytes = new ByteArrayOutputStream((int) length() / 8);
    try (var gzip = new FastGzip(bytes)) {
      writeTo(gzip);
    }
    return of(bytes.toByteArray());
  }

  /** Blocks until all is sent. */
  void send(Content.Sink sink) throws IOException {
    try (var out = new BufferedOutputStream(Content.Sink.asOutputStream(sink), CHUNK)) {
      writeTo(out);
    }
  }

  private void writeTo(OutputStream out) throws IOException {
    for (ByteBuffer part : parts) {
      out.write(part.array(), part.arrayOffset() + part.position(), part.remaining());
    }
  }

  /** At the level of Kubernetes: a long list is compressed in a third of the default's time. */
  private static final class FastGzip extends GZIPOutputStream {
    FastGzip(OutputStream out) throws IOException {
      super(out, CHUNK);
      def.setLevel(Deflater.BEST_SPEED);
    }
  }
}
