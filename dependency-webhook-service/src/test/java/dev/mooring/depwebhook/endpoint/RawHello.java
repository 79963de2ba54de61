package dev.mooring.depwebhook.endpoint;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/**
 * The first message of a TLS client of an old version (RFC 4346, 7.4.1.2), byte by byte: the JDK's
 * own client does not speak these any more.
 */
final class RawHello {
  /** RFC 5246, 7.2. */
  static final int PROTOCOL_VERSION = 70;

  private static final int ALERT = 21;
  private static final int HANDSHAKE = 22;

  /** With AES_128_CBC_SHA: of RSA, ECDHE_RSA and ECDHE_ECDSA. */
  private static final int[] SUITES = {0x002F, 0xC013, 0xC009};

  private RawHello() {}

  /**
   * The description of the alert with which a server answers.
   *
   * @param minor 2 for TLS 1.1
   * @throws IOException if it answers with something else
   */
  static int alert(int port, int minor) throws IOException {
    try (var socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.getOutputStream().write(record(minor));
      var in = new DataInputStream(socket.getInputStream());
      int type = in.readUnsignedByte();
      if (type != ALERT) {
        throw new IOException("answered with a record of type " + type);
      }
      in.skipNBytes(5);
      return in.readUnsignedByte();
    }
  }

  private static byte[] record(int minor) throws IOException {
    byte[] hello = hello(minor);
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeByte(HANDSHAKE);
    out.writeByte(3);
    out.writeByte(1);
    out.writeShort(hello.length + 4);
    out.writeByte(1);
    out.writeByte(0);
    out.writeShort(hello.length);
    out.write(hello);
    return bytes.toByteArray();
  }

  /** Without a session or extensions. */
  private static byte[] hello(int minor) throws IOException {
    var bytes = new ByteArrayOutputStream();
    var out = new DataOutputStream(bytes);
    out.writeByte(3);
    out.writeByte(minor);
    out.write(new byte[32]);
    out.writeByte(0);
    out.writeShort(2 * SUITES.length);
    for (int suite : SUITES) {
      out.writeShort(suite);
    }
    out.writeByte(1);
    out.writeByte(0);
    return bytes.toByteArray();
  }
}
