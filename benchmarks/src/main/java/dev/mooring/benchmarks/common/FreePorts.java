package dev.mooring.benchmarks.common;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/** Ports for processes that take theirs from the command line. */
public final class FreePorts {
  /**
   * Below the ports that a system gives to clients and to servers that take any: between the look
   * and the use no other process gets these by chance.
   */
  private static final int FIRST = 20_000;

  private static final int LAST = 32_000;

  private FreePorts() {}

  /** The first of several neighbours on the loopback interface that no process listens on. */
  public static int neighbours(int count) {
    while (true) {
      int first = ThreadLocalRandom.current().nextInt(FIRST, LAST);
      if (IntStream.range(first, first + count).allMatch(FreePorts::isFree)) {
        return first;
      }
    }
  }

  private static boolean isFree(int port) {
    try (var socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      return socket.isBound();
    } catch (IOException taken) {
      return false;
    }
  }
}
