package dev.mooring.sandbox.http.exchange;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Blocker;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.websocket.core.CloseStatus;
import org.eclipse.jetty.websocket.core.Configuration;
import org.eclipse.jetty.websocket.core.CoreSession;
import org.eclipse.jetty.websocket.core.Frame;
import org.eclipse.jetty.websocket.core.FrameHandler;
import org.eclipse.jetty.websocket.core.OpCode;
import org.eclipse.jetty.websocket.core.WebSocketComponents;
import org.eclipse.jetty.websocket.core.server.Handshaker;
import org.eclipse.jetty.websocket.core.server.WebSocketNegotiator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Events as messages of a WebSocket, one each: text, or binary for protobuf. Messages of the client
 * are ignored.
 */
final class WebSocketEvents implements EventSink, FrameHandler {
  private static final Logger LOG = LoggerFactory.getLogger(WebSocketEvents.class);

  /** As in Go: larger messages come in several frames. */
  private static final long FRAME_MAX = 32L << 20;

  // A client that reads nothing any more does not hear of the end.
  private static final Duration END_WITHIN = Duration.ofSeconds(1);

  /** Made for the first WebSocket. */
  private static final class Shared {
    private static final Handshaker HANDSHAKER = Handshaker.newInstance();
    private static final WebSocketComponents COMPONENTS =
        new WebSocketComponents(null, null, null, null, null, Thread::startVirtualThread);
  }

  private final byte opCode;
  private final Writer writer;
  private final Executor threads;
  private final CompletableFuture<Void> left = new CompletableFuture<>();
  private final CompletableFuture<CoreSession> opened = new CompletableFuture<>();

  private WebSocketEvents(AcceptHeader.Format format, Writer writer, Executor threads) {
    this.opCode =
        switch (format) {
          case JSON, YAML -> OpCode.TEXT;
          case PROTOBUF -> OpCode.BINARY;
        };
    this.writer = writer;
    this.threads = threads;
  }

  /**
   * Answers that the connection is a WebSocket from now on. The writer begins in a thread of its
   * own as soon as the request has been answered.
   *
   * @param protocol the accepted subprotocol; at most one
   */
  static void open(
      Request request,
      Response response,
      List<String> protocol,
      AcceptHeader.Format format,
      Writer writer)
      throws IOException {
    var events =
        new WebSocketEvents(
            format, writer, request.getConnectionMetaData().getConnector().getExecutor());
    WebSocketNegotiator negotiator =
        (_, accepting, _) -> {
          accepting.setExtensions(List.of());
          protocol.forEach(accepting::setAcceptedSubProtocol);
          return events;
        };
    try (Blocker.Callback done = Blocker.callback()) {
      Shared.HANDSHAKER.upgradeRequest(
          negotiator, request, response, done, Shared.COMPONENTS, WebSocketEvents::configure);
      done.block();
    }
  }

  private static void configure(Configuration configuration) {
    configuration.setMaxFrameSize(FRAME_MAX);
    configuration.setIdleTimeout(Duration.ZERO);
  }

  @Override
  public void onOpen(CoreSession session, Callback callback) {
    opened.complete(session);
    callback.succeeded();
    session.demand();
    threads.execute(() -> write(session));
  }

  private void write(CoreSession session) {
    try {
      writer.write(this);
      end();
    } catch (IOException clientLeft) {
      LOG.debug("the client of a WebSocket has left", clientLeft);
    } catch (RuntimeException e) {
      LOG.error("A watch over WebSocket failed", e);
    } finally {
      // As Go does, without waiting for the client's answer.
      session.abort();
    }
  }

  private void end() {
    var sent = new Callback.Completable();
    opened.join().close(CloseStatus.NORMAL, null, sent);
    try {
      sent.get(END_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException clientLeft) {
      LOG.debug("the client of a WebSocket has left", clientLeft);
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void send(byte[]... parts) throws IOException {
    ByteBuffer message =
        ByteBuffer.allocate(Arrays.stream(parts).mapToInt(part -> part.length).sum());
    for (byte[] part : parts) {
      message.put(part);
    }
    try (Blocker.Callback done = Blocker.callback()) {
      opened.join().sendFrame(new Frame(opCode, message.flip()), done, false);
      done.block();
    }
  }

  /** Does nothing: each message is sent at once, as in Kubernetes. */
  @Override
  public void flush() {}

  @Override
  public ClientConnection.Observation onClientLeft(Runnable action) {
    left.thenRun(action);
    return this::end;
  }

  @Override
  public void onFrame(Frame frame, Callback callback) {
    CoreSession session = opened.join();
    Callback next =
        Callback.from(
            () -> {
              callback.succeeded();
              session.demand();
            },
            callback::failed);
    switch (frame.getOpCode()) {
      case OpCode.PING ->
          session.sendFrame(new Frame(OpCode.PONG, frame.getPayload()), next, false);
      case OpCode.CLOSE -> {
        left.complete(null);
        next.succeeded();
      }
      default -> next.succeeded();
    }
  }

  @Override
  public void onError(Throwable cause, Callback callback) {
    callback.succeeded();
  }

  @Override
  public void onClosed(CloseStatus status, Callback callback) {
    left.complete(null);
    callback.succeeded();
  }
}
