package dev.mooring.benchmarks.protection;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.impl.DefaultConnectionReuseStrategy;
import org.apache.hc.core5.http.impl.io.DefaultBHttpClientConnection;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;

/**
 * Sends requests over the connections that an API server would have to a webhook: HTTP/1.1, one
 * request at a time on each. Who finds none idle opens one, however many there are. Of the idle,
 * {@value #IDLE_MAX} are kept. Every connection begins with a whole handshake, for API servers keep
 * no sessions. Thread-safe.
 */
public final class WebhookTransport implements AutoCloseable {
  /** As client-go has it (idleConnsPerHost). */
  private static final int IDLE_MAX = 25;

  private final URI url;
  private final Supplier<SSLContext> trust;
  private final int timeoutSeconds;

  /** The one that was used last is used first. */
  private final Deque<DefaultBHttpClientConnection> idle = new ArrayDeque<>();

  private int opened;
  private boolean closed;

  /**
   * @param trust a context of its own for each connection, so that none resumes another's session
   * @param timeoutSeconds for a request, as a webhook's configuration says it; the API server sends
   *     it along
   */
  public WebhookTransport(URI url, Supplier<SSLContext> trust, int timeoutSeconds) {
    this.url = url;
    this.trust = trust;
    this.timeoutSeconds = timeoutSeconds;
  }

  /** The answer's body. */
  public byte[] post(byte[] body) throws IOException {
    DefaultBHttpClientConnection connection = take();
    try {
      var request =
          new BasicClassicHttpRequest(
              "POST", url.getRawPath() + "?timeout=" + timeoutSeconds + "s");
      request.setHeader(HttpHeaders.HOST, url.getAuthority());
      request.setHeader(HttpHeaders.ACCEPT, "application/json, */*");
      request.setHeader(HttpHeaders.CONTENT_LENGTH, body.length);
      request.setHeader(HttpHeaders.CONTENT_TYPE, "application/json");
      request.setEntity(new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
      connection.sendRequestHeader(request);
      connection.sendRequestEntity(request);
      connection.flush();
      var response = connection.receiveResponseHeader();
      connection.receiveResponseEntity(response);
      byte[] answer = EntityUtils.toByteArray(response.getEntity());
      if (DefaultConnectionReuseStrategy.INSTANCE.keepAlive(
          request, response, HttpCoreContext.create())) {
        giveBack(connection);
      } else {
        connection.close();
      }
      return answer;
    } catch (HttpException e) {
      connection.close();
      throw new IOException("not an answer in HTTP: " + e.getMessage(), e);
    } catch (IOException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  /** How many connections it has had. */
  synchronized int opened() {
    return opened;
  }

  @Override
  public synchronized void close() {
    closed = true;
    idle.forEach(WebhookTransport::end);
    idle.clear();
  }

  private DefaultBHttpClientConnection take() throws IOException {
    synchronized (this) {
      DefaultBHttpClientConnection connection = idle.pollLast();
      if (connection != null) {
        return connection;
      }
    }
    return open();
  }

  private DefaultBHttpClientConnection open() throws IOException {
    var connection = new DefaultBHttpClientConnection(null);
    connection.bind(connect());
    synchronized (this) {
      opened++;
    }
    return connection;
  }

  /** A connection after its handshake, which is the caller's. */
  public SSLSocket connect() throws IOException {
    var plain = new Socket(url.getHost(), url.getPort());
    try {
      plain.setTcpNoDelay(true);
      plain.setSoTimeout(timeoutSeconds * 1_000);
      var socket =
          (SSLSocket)
              trust
                  .get()
                  .getSocketFactory()
                  .createSocket(plain, url.getHost(), url.getPort(), /* autoClose= */ true);
      socket.startHandshake();
      return socket;
    } catch (IOException | RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  private void giveBack(DefaultBHttpClientConnection connection) {
    synchronized (this) {
      if (!closed && idle.size() < IDLE_MAX) {
        idle.add(connection);
        return;
      }
    }
    end(connection);
  }

  private static void end(DefaultBHttpClientConnection connection) {
    try {
      connection.close();
    } catch (IOException e) {
      // It is of no more use either way.
      connection.close(CloseMode.IMMEDIATE);
    }
  }
}
