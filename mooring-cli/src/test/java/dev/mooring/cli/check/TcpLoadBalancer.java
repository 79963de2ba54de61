package dev.mooring.cli.check;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a Service does before several replicas, on loopback: a new connection goes to one of those
 * that are ready, and stays there. Thread-safe.
 */
final class TcpLoadBalancer implements AutoCloseable {
  private final ServerSocket server;
  private final List<Integer> ready = new CopyOnWriteArrayList<>();
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private final AtomicInteger taken = new AtomicInteger();

  private TcpLoadBalancer(ServerSocket server) {
    this.server = server;
  }

  static TcpLoadBalancer on(int port) throws IOException {
    var server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 50);
    var balancer = new TcpLoadBalancer(server);
    Thread.ofVirtual().name("balancer").start(balancer::accept);
    return balancer;
  }

  /** Where reviews are sent to it. */
  String url() {
    return "https://127.0.0.1:" + port() + "/validate";
  }

  int port() {
    return server.getLocalPort();
  }

  /** Connections so far that a replica was there for. */
  int taken() {
    return taken.get();
  }

  /** New connections may go to this port from now on. */
  void add(int port) {
    ready.add(port);
  }

  /** New connections go elsewhere from now on; those that are open stay. */
  void remove(int port) {
    ready.remove(Integer.valueOf(port));
  }

  @Override
  public void close() throws IOException {
    stop();
  }

  /** Takes no connection any more, and ends those that are open. */
  void stop() throws IOException {
    server.close();
    for (Socket socket : open) {
      socket.close();
    }
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        connect(server.accept());
      } catch (IOException closed) {
        // The loop ends with the server.
      }
    }
  }

  /** Closes the connection if no replica takes it. */
  private void connect(Socket client) throws IOException {
    List<Integer> choice = List.copyOf(ready);
    if (choice.isEmpty()) {
      client.close();
      return;
    }
    int port = choice.get(Math.floorMod(taken.getAndIncrement(), choice.size()));
    try {
      Socket backend = new Socket(InetAddress.getLoopbackAddress(), port);
      open.add(client);
      open.add(backend);
      Thread.ofVirtual().start(() -> copy(client, backend));
      Thread.ofVirtual().start(() -> copy(backend, client));
    } catch (IOException refused) {
      client.close();
    }
  }

  private void copy(Socket from, Socket to) {
    try (from;
        to;
        InputStream in = from.getInputStream();
        OutputStream out = to.getOutputStream()) {
      in.transferTo(out);
    } catch (IOException ended) {
      // Either side may end a connection.
    } finally {
      open.remove(from);
    }
  }
}
