package dev.mooring.harness;

import dev.mooring.sandbox.security.certificate.TrustedAuthorities;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** Asks a server, without credentials, whether it is there. */
public final class HttpProbe implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final HttpClient client;

  private HttpProbe(HttpClient.Builder builder) {
    this.client = builder.connectTimeout(TIMEOUT).version(HttpClient.Version.HTTP_1_1).build();
  }

  /** For plain HTTP, and for servers that the JDK trusts anyway. */
  public static HttpProbe plain() {
    return new HttpProbe(HttpClient.newBuilder());
  }

  /** Trusts what the kubeconfig trusts; without an authority in it, what the JDK trusts. */
  public static HttpProbe of(Kubeconfig kubeconfig) {
    return kubeconfig.authorities().map(HttpProbe::trusting).orElseGet(HttpProbe::plain);
  }

  /** Trusts the authorities in the PEM text and no others. */
  public static HttpProbe trusting(byte[] pem) {
    return new HttpProbe(HttpClient.newBuilder().sslContext(contextsTrusting(pem).get()));
  }

  /**
   * Contexts that trust the authorities in the PEM text: a new one, without sessions, each time.
   */
  public static Supplier<SSLContext> contextsTrusting(byte[] pem) {
    String authorities = new String(pem, StandardCharsets.US_ASCII);
    return () -> {
      try {
        return TrustedAuthorities.context(authorities);
      } catch (IllegalArgumentException e) {
        throw new HarnessFailure("An authority's certificate makes no sense: " + e.getMessage(), e);
      }
    };
  }

  /** The status of a GET; empty without an answer. */
  public Optional<Integer> status(URI url) {
    return get(url).map(HttpResponse::statusCode);
  }

  /** The body of a GET that was answered with 200; empty otherwise. */
  public Optional<String> body(URI url) {
    return get(url).filter(response -> response.statusCode() == 200).map(HttpResponse::body);
  }

  @Override
  public void close() {
    client.shutdownNow();
    client.close();
  }

  private Optional<HttpResponse<String>> get(URI url) {
    try {
      return Optional.of(
          client.send(
              HttpRequest.newBuilder(url).timeout(TIMEOUT).build(),
              HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8)));
    } catch (IOException notYet) {
      return Optional.empty();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
