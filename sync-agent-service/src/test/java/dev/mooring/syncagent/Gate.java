package dev.mooring.syncagent;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A way to a server on this machine that can be shut and opened: then the server seems to be down.
 */
final class Gate implements AutoCloseable {
  private final int target;
  private final ServerSocket entrance;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private volatile boolean shut;

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

  /** Breaks every connection; new ones are refused until {@link #open}. */
  void shut() {
    shut = true;
    open.forEach(Gate::end);
  }

  void open() {
    shut = false;
  }

  private void admit() {
    while (!entrance.isClosed()) {
      try {
        Socket caller = entrance.accept();
        open.add(caller);
        if (shut) {
          end(caller);
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
      Thread answers = Thread.ofVirtual().start(() -> pump(server, caller));
      pump(caller, server);
      answers.join();
    } catch (IOException e) {
      end(caller);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void pump(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      // One side is gone; so is the other then.
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
  }
}
