package dev.mooring.syncagent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A way to a server on this machine that can be shut and opened: then the server seems to be down,
 * or, held, to be silent. Its port is its own from beginning to end, wherever it leads.
 */
final class Gate implements AutoCloseable {
  private final ServerSocket entrance;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private final AtomicInteger turnedAway = new AtomicInteger();
  private volatile int target;
  private volatile boolean shut;
  private volatile CountDownLatch passage = new CountDownLatch(0);

  Gate(int target) {
    this.target = target;
    try {
      this.entrance = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofVirtual().start(this::admit);
  }

  int port() {
    return entrance.getLocalPort();
  }

  /** To another server from now on; breaks every connection to the one before. */
  void lead(int otherTarget) {
    target = otherTarget;
    breakAll();
  }

  /** Breaks every connection; new ones are refused until {@link #open}. */
  void shut() {
    shut = true;
    breakAll();
  }

  /**
   * Keeps back what is sent either way until {@link #open}; connections stay, and new ones are
   * made. What waited for so long arrives then, late.
   */
  void hold() {
    passage = new CountDownLatch(1);
  }

  void open() {
    shut = false;
    passage.countDown();
  }

  /** How many connections were refused so far. */
  int turnedAway() {
    return turnedAway.get();
  }

  private void breakAll() {
    open.forEach(Gate::end);
    open.removeIf(Socket::isClosed);
  }

  private void admit() {
    while (!entrance.isClosed()) {
      try {
        Socket caller = entrance.accept();
        open.add(caller);
        if (shut) {
          turnedAway.incrementAndGet();
          end(caller);
          open.remove(caller);
        } else {
          Thread.ofVirtual().start(() -> connect(caller));
        }
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void connect(Socket caller) {
    try (caller;
        var server = new Socket(InetAddress.getLoopbackAddress(), target)) {
      open.add(server);
      if (shut) {
        return; // a moment ago: neither may live on
      }
      Thread answers = Thread.ofVirtual().start(() -> pump(server, caller));
      pump(caller, server);
      answers.join();
    } catch (IOException e) {
      end(caller);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      open.removeIf(Socket::isClosed);
    }
  }

  private void pump(Socket from, Socket to) {
    var chunk = new byte[16 * 1024];
    try {
      for (int length = from.getInputStream().read(chunk);
          length >= 0;
          length = from.getInputStream().read(chunk)) {
        passage.await();
        to.getOutputStream().write(chunk, 0, length);
      }
    } catch (IOException e) {
      // One side is gone; so is the other then.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    end(from);
    end(to);
  }

  private static void end(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() throws IOException {
    entrance.close();
    shut();
    passage.countDown();
  }
}
