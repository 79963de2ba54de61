package dev.mooring.sandbox.webhook;

import com.google.common.base.Throwables;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.fault.FaultInjector;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;

/**
 * Posts reviews to webhooks over HTTPS. Connections are kept and shared by webhooks of the same
 * trust. Blocks at most as long as the webhook's timeout. Thread-safe.
 */
public final class WebhookCaller implements AutoCloseable {
  /** As the API server limits the answers it reads. */
  static final int ANSWER_BYTES_MAX = 3 * 1024 * 1024;

  private static final int HTTPS_PORT = 443;
  private static final List<String> STALE_CONNECTION =
      List.of("received no bytes", "Connection reset", "Broken pipe");

  /** The webhook could not be called or did not answer properly; the message is Kubernetes'. */
  public static sealed class CallFailed extends Exception {
    private static final long serialVersionUID = 1L;

    public CallFailed(String message) {
      super(message, null, false, false);
    }
  }

  /** What the webhook is to be trusted by is unusable, so that it was not called. */
  public static final class Untrustable extends CallFailed {
    private static final long serialVersionUID = 1L;

    private Untrustable(String message) {
      super(message);
    }
  }

  private final TrustedClients clients = new TrustedClients();

  /**
   * Where a webhook is.
   *
   * @param caBundle base64 of PEM; empty for the machine's own trust
   */
  public record Target(URI url, String caBundle, Duration timeout) {
    /** With the timeout, which the webhook reads from its URL. */
    private URI address() {
      return URI.create(url + "?timeout=" + timeout.toSeconds() + "s");
    }
  }

  /** The body of a 200 answer. */
  public byte[] post(Target webhook, byte[] review) throws CallFailed {
    return post(webhook, review, Duration.ZERO);
  }

  /**
   * As {@link #post(Target, byte[])}.
   *
   * @param late how much of the timeout is over when the webhook gets the review
   */
  public byte[] post(Target webhook, byte[] review, Duration late) throws CallFailed {
    URI target = webhook.address();
    HttpRequest request =
        HttpRequest.newBuilder(target)
            .header("Content-Type", "application/json")
            .header("Accept", "application/json, */*")
            .header("User-Agent", "kube-apiserver-admission")
            .POST(HttpRequest.BodyPublishers.ofByteArray(review))
            .build();
    HttpClient client;
    try {
      client = clients.trusting(webhook.caBundle());
    } catch (IllegalArgumentException e) {
      throw new Untrustable("could not get REST client: " + e.getMessage());
    }
    HttpResponse<byte[]> response;
    try {
      response = send(client, request, left(webhook.timeout(), late));
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
      throw failed(target, "context canceled");
    } catch (IOException e) {
      throw failed(target, problem(e, target));
    } catch (TimeoutException over) {
      throw failed(target, "context deadline exceeded");
    }
    if (response.statusCode() != 200) {
      throw new CallFailed(refusal(response));
    }
    return response.body();
  }

  /**
   * A review that a webhook answers; its kind and version are those of the question, or missing.
   *
   * @param kind of the question
   * @param apiVersion of the question
   */
  public static KubeObject review(byte[] answer, String kind, String apiVersion) throws CallFailed {
    KubeObject review;
    try {
      review = KubeJson.readObject(answer);
    } catch (MalformedJson e) {
      throw new CallFailed("its answer is not a review: " + e.getMessage());
    }
    boolean typed = !review.apiVersion().isEmpty() && !review.kind().isEmpty();
    if (typed && !(review.kind().equals(kind) && review.apiVersion().equals(apiVersion))) {
      throw new CallFailed(
          "its answer must be %s, Kind=%s, not %s, Kind=%s"
              .formatted(apiVersion, kind, review.apiVersion(), review.kind()));
    }
    return review;
  }

  /** What is left of the timeout after the wait. */
  private static Duration left(Duration timeout, Duration late)
      throws TimeoutException, InterruptedException {
    Duration left = timeout.minus(late);
    if (!left.isPositive()) {
      FaultInjector.pause(timeout);
      throw new TimeoutException();
    }
    if (late.isPositive()) {
      FaultInjector.pause(late);
    }
    return left;
  }

  private static HttpResponse<byte[]> send(HttpClient client, HttpRequest request, Duration timeout)
      throws IOException, TimeoutException {
    CompletableFuture<HttpResponse<byte[]>> answer =
        once(client, request)
            // The webhook had closed a kept connection: nothing was handled, so ask again.
            .exceptionallyCompose(failure ->
                isStaleConnection(failure)
                    ? once(client, request)
                    : CompletableFuture.failedFuture(failure));
    try {
      return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      throw e;
    } catch (InterruptedException e) {
      answer.cancel(true);
      Thread.currentThread().interrupt();
      throw new IOException("context canceled", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
    }
  }

  private static CompletableFuture<HttpResponse<byte[]>> once(
      HttpClient client, HttpRequest request) {
    return client.sendAsync(
        request,
        HttpResponse.BodyHandlers.limiting(
            HttpResponse.BodyHandlers.ofByteArray(), ANSWER_BYTES_MAX));
  }

  /** Why a connection failed. */
  private static String problem(IOException failure, URI target) {
    String host = target.getHost();
    if (isCausedBy(failure, UnresolvedAddressException.class)
        || isCausedBy(failure, UnknownHostException.class)) {
      return "dial tcp: lookup " + host + ": no such host";
    }
    if (isCausedBy(failure, ConnectException.class)) {
      int port = target.getPort() < 0 ? HTTPS_PORT : target.getPort();
      return "dial tcp %s:%d: connect: connection refused".formatted(host, port);
    }
    String message = String.valueOf(failure.getMessage());
    return isCausedBy(failure, SSLException.class)
        ? "tls: failed to verify certificate: " + message
        : message;
  }

  /** Whether the server closed a kept connection before it read the request. */
  private static boolean isStaleConnection(Throwable failure) {
    return !isCausedBy(failure, SSLException.class)
        && Throwables.getCausalChain(failure).stream()
            .map(cause -> String.valueOf(cause.getMessage()))
            .anyMatch(message -> STALE_CONNECTION.stream().anyMatch(message::contains));
  }

  private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
    return Throwables.getCausalChain(failure).stream().anyMatch(type::isInstance);
  }

  private static CallFailed failed(URI target, String problem) {
    return new CallFailed("Post \"%s\": %s".formatted(target, problem));
  }

  /** What an answer that is no 200 says. */
  private static String refusal(HttpResponse<byte[]> response) {
    String unexplained = "the server responded with the status code " + response.statusCode();
    try {
      KubeObject status = KubeJson.readObject(response.body());
      return status.kind().equals("Status") ? status.text("message") : unexplained;
    } catch (MalformedJson notAStatus) {
      return unexplained;
    }
  }

  @Override
  public void close() {
    clients.close();
  }
}
