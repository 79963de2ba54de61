package dev.mooring.runtime.client.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Cuts a stream of bytes at its newlines. Not thread-safe. */
final class LineFramer {
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
