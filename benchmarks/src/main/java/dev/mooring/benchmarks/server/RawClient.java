package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Clients;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.HttpHost;
import org.apache.hc.core5.http.Method;
import org.apache.hc.core5.http.impl.bootstrap.HttpRequester;
import org.apache.hc.core5.http.impl.bootstrap.RequesterBootstrap;
import org.apache.hc.core5.http.io.SocketConfig;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.io.entity.EntityUtils;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.io.CloseMode;
import org.apache.hc.core5.util.Timeout;

/**
 * Requests of an administrator by a client that costs little and parses no answers, so that the
 * server is measured: HTTP/1.1, a connection for each of {@link Clients#COUNT} threads. Every
 * answer that is no success is a {@link HarnessFailure}. Thread-safe.
 */
final class RawClient implements AutoCloseable {
  private static final Timeout TIMEOUT = Timeout.ofMinutes(5);
  private static final ContentType MERGE_PATCH = ContentType.create("application/merge-patch+json");

  private final HttpHost server;
  private final String authorization;
  private final HttpRequester http;

  /** An answer in full. */
  private record Answer(int code, byte[] body) {}

  /**
   * @param kubeconfig whose current context's user has a token
   */
  RawClient(Kubeconfig kubeconfig) {
    this.server = HttpHost.create(kubeconfig.server());
    this.authorization = "Bearer " + kubeconfig.user().get("token");
    this.http =
        RequesterBootstrap.bootstrap()
            .setSslContext(WatchClient.trusting(kubeconfig))
            .setSocketConfig(
                SocketConfig.custom().setSoTimeout(TIMEOUT).setTcpNoDelay(true).build())
            .setDefaultMaxPerRoute(Clients.COUNT)
            .create();
  }

  byte[] get(String path) {
    return send(request(Method.GET, path));
  }

  void post(String path, byte[] body) {
    send(with(request(Method.POST, path), body, ContentType.APPLICATION_JSON));
  }

  /** A merge patch. */
  void patch(String path, byte[] body) {
    send(with(request(Method.PATCH, path), body, MERGE_PATCH));
  }

  void delete(String path) {
    send(request(Method.DELETE, path));
  }

  KubeObject object(String path) {
    return KubeJson.readObject(get(path));
  }

  /** How a GET is answered. */
  int status(String path) {
    return answer(request(Method.GET, path)).code();
  }

  /**
   * @param path below the server, or a URL that it gave
   */
  private BasicClassicHttpRequest request(Method method, String path) {
    var request =
        path.startsWith("/")
            ? new BasicClassicHttpRequest(method, server, path)
            : new BasicClassicHttpRequest(method, URI.create(path));
    request.setHeader(HttpHeaders.AUTHORIZATION, authorization);
    return request;
  }

  private static BasicClassicHttpRequest with(
      BasicClassicHttpRequest request, byte[] body, ContentType type) {
    request.setEntity(new ByteArrayEntity(body, type));
    return request;
  }

  private byte[] send(BasicClassicHttpRequest request) {
    Answer answer = answer(request);
    if (answer.code() / 100 != 2) {
      throw new HarnessFailure(
          "%s %s was answered with %d: %s"
              .formatted(
                  request.getMethod(),
                  request.getRequestUri(),
                  answer.code(),
                  new String(answer.body(), StandardCharsets.UTF_8)));
    }
    return answer.body();
  }

  private Answer answer(BasicClassicHttpRequest request) {
    var host = new HttpHost(request.getScheme(), request.getAuthority());
    try {
      return http.execute(
          host,
          request,
          TIMEOUT,
          HttpCoreContext.create(),
          response ->
              new Answer(response.getCode(), EntityUtils.toByteArray(response.getEntity())));
    } catch (IOException | HttpException e) {
      throw new HarnessFailure(
          request.getMethod() + " " + request.getRequestUri() + " failed: " + e, e);
    }
  }

  @Override
  public void close() {
    http.close(CloseMode.IMMEDIATE);
  }
}
