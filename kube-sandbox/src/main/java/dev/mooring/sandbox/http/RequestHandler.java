package dev.mooring.sandbox.http;

import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.GoJson;
import dev.mooring.sandbox.http.exchange.AcceptHeader;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.http.resource.ObjectRenderer;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers every request, failures as well: as a Status, or as text where kcp's router speaks. */
final class RequestHandler extends Handler.Abstract {
  private static final Logger LOG = LoggerFactory.getLogger(RequestHandler.class);

  private final ApiServer.RequestRouter router;

  RequestHandler(ApiServer.RequestRouter router) {
    this.router = router;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) {
    try {
      answer(request, response);
      callback.succeeded();
    } catch (IOException clientLeft) {
      callback.failed(clientLeft);
    } catch (RuntimeException e) {
      LOG.error("{} {} failed", request.getMethod(), request.getHttpURI().getPath(), e);
      callback.failed(e);
    }
    return true;
  }

  private void answer(Request request, Response response) throws IOException {
    var exchange = new Exchange(request, response);
    try {
      router.answer(exchange);
    } catch (ApiFailure failure) {
      fail(response, exchange, failure);
    } catch (RuntimeException e) {
      LOG.error("{} {} failed", request.getMethod(), request.getHttpURI().getPath(), e);
      fail(response, exchange, ApiFailure.internal(String.valueOf(e.getMessage())));
    }
  }

  private static void fail(Response response, Exchange exchange, ApiFailure failure)
      throws IOException {
    if (response.isCommitted()) {
      throw new IOException("failed in the middle of an answer: " + failure.getMessage());
    }
    if (failure.isPlain()) {
      exchange.answerText(
          failure.code(), Exchange.NO_SNIFFING, String.valueOf(failure.getMessage()));
      return;
    }
    Map<String, String> headers =
        failure.status().at("details", "retryAfterSeconds") instanceof Long seconds
            ? Map.of(HttpHeader.RETRY_AFTER.asString(), seconds.toString())
            : Map.of();
    Map<String, Object> status = failure.status().tree();
    Optional<AcceptHeader.Format> format = exchange.failureFormat();
    if (format.isPresent()) {
      exchange.answerObject(
          failure.code(),
          format.get().mediaType(),
          headers,
          ObjectRenderer.bytes(status, format.get()));
      return;
    }
    byte[] json = ObjectRenderer.bytes(status, AcceptHeader.Format.JSON);
    exchange.answer(
        failure.code(),
        AcceptHeader.Format.JSON.mediaType(),
        headers,
        new String(GoJson.indented(json), StandardCharsets.UTF_8)
            .stripTrailing()
            .getBytes(StandardCharsets.UTF_8));
  }
}
