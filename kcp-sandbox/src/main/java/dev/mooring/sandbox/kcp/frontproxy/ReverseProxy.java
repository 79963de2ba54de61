package dev.mooring.sandbox.kcp.frontproxy;

import dev.mooring.sandbox.http.exchange.Exchange;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Forwards requests to servers elsewhere. Answers 502 without a body for one that cannot be
 * reached. Thread-safe.
 */
final class ReverseProxy {
  private static final Logger LOG = LoggerFactory.getLogger(ReverseProxy.class);
  private static final Duration CONNECTED_WITHIN = Duration.ofSeconds(10);
  private static final int BUFFER = 8_192;

  /** Headers of one connection, and those that the client library writes itself. */
  private static final Set<String> OWN =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "http2-settings",
          "keep-alive",
          "proxy-authenticate",
          "proxy-authorization",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private final HttpClient client;

  ReverseProxy(SSLContext tls) {
    client = HttpClient.newBuilder().sslContext(tls).connectTimeout(CONNECTED_WITHIN).build();
  }

  /**
   * @param base the URL that stands for the segments already used
   * @param rest the segments behind them, decoded
   * @param replaced headers of the client that are left out
   * @param added values by header
   * @throws IOException if the client leaves
   */
  void forward(
      Exchange exchange,
      URI base,
      List<String> rest,
      Predicate<String> replaced,
      Map<String, List<String>> added)
      throws IOException {
    Request request = exchange.request();
    HttpRequest.Builder forwarded = HttpRequest.newBuilder(target(exchange, base, rest));
    for (HttpField field : request.getHeaders()) {
      if (isForwarded(field.getName()) && !replaced.test(field.getName())) {
        forwarded.header(field.getName(), field.getValue());
      }
    }
    forwarded.header("X-Forwarded-For", Request.getRemoteAddr(request));
    added.forEach((name, values) -> values.forEach(value -> forwarded.header(name, value)));
    forwarded.method(request.getMethod(), HttpRequest.BodyPublishers.ofByteArray(exchange.body()));
    HttpResponse<InputStream> answer;
    try {
      answer = client.send(forwarded.build(), HttpResponse.BodyHandlers.ofInputStream());
    } catch (IOException unreachable) {
      LOG.info("Cannot forward to {}: {}", base, unreachable.toString());
      exchange.answerNothing(502, Map.of());
      return;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    try (InputStream in = answer.body()) {
      copy(answer, in, exchange.response());
    }
  }

  private static URI target(Exchange exchange, URI base, List<String> rest) {
    String own = base.getRawQuery() == null ? "" : "?" + base.getRawQuery();
    String theirs = exchange.rawQuery();
    var path = new StringBuilder(base.toString().replaceFirst("/*(\\?.*)?$", ""));
    for (String segment : rest) {
      path.append('/')
          .append(URLEncoder.encode(segment, StandardCharsets.UTF_8).replace("+", "%20"));
    }
    if (exchange.endsWithSlash()) {
      path.append('/');
    }
    return URI.create(path + own + (own.isEmpty() ? theirs : theirs.replaceFirst("^\\?", "&")));
  }

  private static void copy(HttpResponse<InputStream> answer, InputStream in, Response response)
      throws IOException {
    response.setStatus(answer.statusCode());
    answer
        .headers()
        .map()
        .forEach((name, values) -> {
          if (isForwarded(name) && !name.startsWith(":")) {
            values.forEach(value -> response.getHeaders().add(name, value));
          }
        });
    OutputStream out = Content.Sink.asOutputStream(response);
    // Events of a watch must not wait for the next one.
    out.flush();
    byte[] buffer = new byte[BUFFER];
    for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
      out.write(buffer, 0, read);
      out.flush();
    }
    out.close();
  }

  private static boolean isForwarded(String header) {
    return !OWN.contains(header.toLowerCase(Locale.ROOT));
  }
}
