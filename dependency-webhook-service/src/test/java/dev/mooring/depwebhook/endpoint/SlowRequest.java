package dev.mooring.depwebhook.endpoint;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import javax.net.ssl.SSLSocket;

/** A POST over TLS whose body comes later on, or in part. */
final class SlowRequest implements AutoCloseable {
  private final SSLSocket socket;
  private final byte[] rest;

  private SlowRequest(SSLSocket socket, byte[] rest) {
    this.socket = socket;
    this.rest = rest;
  }

  /** Sends the head and half of the body, and waits until the server has begun to read it. */
  static SlowRequest begin(int port, Path authority, String path, byte[] body) throws Exception {
    var socket =
        (SSLSocket)
            TestCertificate.trusting(authority).getSocketFactory().createSocket("127.0.0.1", port);
    String head =
        """
        POST %s HTTP/1.1\r
        Host: 127.0.0.1\r
        Content-Type: application/json\r
        Content-Length: %d\r
        Expect: 100-continue\r
        Connection: close\r
        \r
        """
            .formatted(path, body.length);
    OutputStream out = socket.getOutputStream();
    out.write(head.getBytes(StandardCharsets.US_ASCII));
    out.flush();
    byte[] interim = socket.getInputStream().readNBytes(12);
    if (!new String(interim, StandardCharsets.US_ASCII).equals("HTTP/1.1 100")) {
      throw new IOException("the server does not go on");
    }
    skipLine(socket);
    out.write(body, 0, body.length / 2);
    out.flush();
    return new SlowRequest(socket, Arrays.copyOfRange(body, body.length / 2, body.length));
  }

  /** Sends the head alone, and announces a body of this length. */
  static SlowRequest head(int port, Path authority, String path, int length) throws Exception {
    return partly(port, authority, path, length, new byte[0]);
  }

  /** Sends the beginning of a head. */
  static SlowRequest beginning(int port, Path authority, String start) throws Exception {
    var socket =
        (SSLSocket)
            TestCertificate.trusting(authority).getSocketFactory().createSocket("127.0.0.1", port);
    socket.getOutputStream().write(start.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
    return new SlowRequest(socket, new byte[0]);
  }

  /** Sends the head of a body of this length, and how it begins. */
  static SlowRequest partly(int port, Path authority, String path, int length, byte[] start)
      throws Exception {
    var socket =
        (SSLSocket)
            TestCertificate.trusting(authority).getSocketFactory().createSocket("127.0.0.1", port);
    String head =
        """
        POST %s HTTP/1.1\r
        Host: 127.0.0.1\r
        Content-Type: application/json\r
        Content-Length: %d\r
        \r
        """
            .formatted(path, length);
    socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().write(start);
    socket.getOutputStream().flush();
    return new SlowRequest(socket, new byte[0]);
  }

  /** Sends one more byte; false if the server has closed the connection. */
  boolean trickle() {
    try {
      socket.getOutputStream().write('x');
      socket.getOutputStream().flush();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Everything that comes until the server closes the connection; nothing more is sent. */
  String answer() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** Sends the rest and gives the whole answer. */
  String finish() throws IOException {
    socket.getOutputStream().write(rest);
    socket.getOutputStream().flush();
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
  }

  /** The rest of the interim answer, up to its empty line. */
  private static void skipLine(SSLSocket socket) throws IOException {
    int newlines = 0;
    while (newlines < 2) {
      int read = socket.getInputStream().read();
      if (read < 0) {
        throw new IOException("the server hung up");
      }
      if (read == '\n') {
        newlines++;
      }
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
