package dev.mooring.sandbox.http.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.io.AbstractEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.BufferUtil;
import org.eclipse.jetty.util.Callback;

/**
 * Notices that the client of a long answer has left. HTTP/2 tells of it. Over HTTP/1.1 only reading
 * does, and while a request is answered nothing else reads its connection: so this does, until it
 * is closed. A client that sends anything instead of waiting for its answer loses the connection.
 */
public final class ClientConnection implements Callback {
  /** Ends the observation. */
  public interface Observation extends AutoCloseable {
    @Override
    void close();
  }

  private final AbstractEndPoint connection;
  private final Runnable left;
  private boolean closed;

  private ClientConnection(AbstractEndPoint connection, Runnable left) {
    this.connection = connection;
    this.left = left;
  }

  /**
   * Begins to look.
   *
   * @param left called once or twice, by any thread
   */
  static Observation observe(Request request, Runnable left) {
    request.addFailureListener(_ -> left.run());
    var connection = request.getConnectionMetaData().getConnection();
    if (request.getConnectionMetaData().getHttpVersion() == HttpVersion.HTTP_2
        || !(connection.getEndPoint() instanceof AbstractEndPoint readable)) {
      return () -> {};
    }
    var presence = new ClientConnection(readable, left);
    readable.tryFillInterested(presence);
    return presence::end;
  }

  /** There is something to be read, be it the end. */
  @Override
  public synchronized void succeeded() {
    if (closed) {
      return;
    }
    ByteBuffer unasked = BufferUtil.allocate(1);
    try {
      int read = connection.fill(unasked);
      if (read == 0) {
        connection.tryFillInterested(this);
        return;
      }
      if (read > 0) {
        connection.close();
      }
    } catch (IOException broken) {
      connection.close(broken);
    }
    left.run();
  }

  @Override
  public synchronized void failed(Throwable cause) {
    if (!closed) {
      left.run();
    }
  }

  @Override
  public InvocationType getInvocationType() {
    return InvocationType.NON_BLOCKING;
  }

  /** Leaves the connection to the reader of its next request. */
  private synchronized void end() {
    closed = true;
    connection.getFillInterest().onFail(new IOException("the answer is complete"));
  }
}
