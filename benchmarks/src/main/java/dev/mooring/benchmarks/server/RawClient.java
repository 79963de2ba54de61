package dev.mooring.benchmarks.server;

import dev.mooring.benchmarks.common.Load;
import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.Kubeconfig;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpEntity;
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
import org.jspecify.annotations.Nullable;

/**
 * Requests of an administrator by a client that costs little and parses no answers, so that the
 * server is measured: HTTP/1.1, a connection for each of {@link Load#CLIENTS} threads. Every answer
 * that is no success is a {@link HarnessFailure}. Thread-safe.
 */
final class RawClient implements AutoCloseable {
  private static final Timeout TIMEOUT = Timeout.ofMinutes(5);
  private static final ContentType MERGE_PATCH = ContentType.create("application/merge-patch+json");

  private final URI server;
  private final String authorization;
  private final HttpRequester http;

  /** An answer in full. */
  private record Answer(int code, byte[] body) {}

  /**
   * @param kubeconfig whose current context's user has a token
   */
  RawClient(Kubeconfig kubeconfig) {
    this.server = kubeconfig.server();
    this.authorization = "Bearer " + kubeconfig.user().get("token");
    this.http =
        RequesterBootstrap.bootstrap()
            .setSslContext(WatchClient.trusting(kubeconfig))
            .setSocketConfig(
                SocketConfig.custom().setSoTimeout(TIMEOUT).setTcpNoDelay(true).build())
            .setDefaultMaxPerRoute(Load.CLIENTS)
            .create();
  }

  byte[] get(String path) {
    return send(Method.GET, path, null);
  }

  void post(String path, byte[] body) {
    send(Method.POST, path, new ByteArrayEntity(body, ContentType.APPLICATION_JSON));
  }

  /** A merge patch. */
  void patch(String path, byte[] body) {
    send(Method.PATCH, path, new ByteArrayEntity(body, MERGE_PATCH));
  }

  void delete(String path) {
    send(Method.DELETE, path, null);
  }

  KubeObject object(String path) {
    return KubeJson.readObject(get(path));
  }

  /** How a GET is answered. */
  int status(String path) {
    return answer(Method.GET, path, null).code();
  }

  private byte[] send(Method method, String path, @Nullable HttpEntity body) {
    Answer answer = answer(method, path, body);
    if (answer.code() / 100 != 2) {
      String text = new String(answer.body(), StandardCharsets.UTF_8);
      throw new HarnessFailure(
          "%s %s was answered with %d: %s".formatted(method, path, answer.code(), text));
    }
    return answer.body();
  }

  /**
   * @param path below the server, or a URL that it gave
   */
  private Answer answer(Method method, String path, @Nullable HttpEntity body) {
    var request = new BasicClassicHttpRequest(method, server.resolve(path));
    request.setHeader(HttpHeaders.AUTHORIZATION, authorization);
    request.setEntity(body);
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
      throw new HarnessFailure(method + " " + path + " failed: " + e, e);
    }
  }

  @Override
  public void close() {
    http.close(CloseMode.IMMEDIATE);
  }
}
