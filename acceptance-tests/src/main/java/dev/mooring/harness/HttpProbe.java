package dev.mooring.harness;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Asks a server whether it is there: plain HTTP, or HTTPS with one authority trusted. */
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
  public static HttpProbe trusting(Kubeconfig kubeconfig) {
    byte[] pem;
    if (kubeconfig.cluster().get("certificate-authority-data") instanceof String data) {
      pem = Base64.getDecoder().decode(data);
    } else if (kubeconfig.cluster().get("certificate-authority") instanceof String file) {
      pem = bytes(Path.of(file));
    } else {
      return plain();
    }
    return trusting(pem);
  }

  /** Trusts the authorities in the PEM text and no others. */
  public static HttpProbe trusting(byte[] pem) {
    try {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      int index = 0;
      for (Certificate authority :
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem))) {
        store.setCertificateEntry("authority-" + index++, authority);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return new HttpProbe(HttpClient.newBuilder().sslContext(context));
    } catch (GeneralSecurityException | IOException e) {
      throw new HarnessFailure("An authority's certificate makes no sense: " + e.getMessage(), e);
    }
  }

  /** The status of a GET; empty if nobody answered. */
  public Optional<Integer> status(URI url) {
    return get(url).map(HttpResponse::statusCode);
  }

  /** The body of a GET that was answered with 200; empty otherwise. */
  public Optional<String> body(URI url) {
    return get(url).filter(response -> response.statusCode() == 200).map(HttpResponse::body);
  }

  /** What a request was answered with. */
  public record Answer(int status, String body) {}

  /** A DELETE with a bearer token; a {@link HarnessFailure} if nobody answers. */
  public Answer delete(URI url, String token) {
    try {
      HttpResponse<String> answer =
          client.send(
              HttpRequest.newBuilder(url)
                  .timeout(Duration.ofSeconds(60))
                  .header("Authorization", "Bearer " + token)
                  .DELETE()
                  .build(),
              HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
      return new Answer(answer.statusCode(), answer.body());
    } catch (IOException e) {
      throw new HarnessFailure(url + " was not answered: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new HarnessFailure("Interrupted while waiting for " + url, e);
    }
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

  private static byte[] bytes(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException e) {
      throw new HarnessFailure("The authority " + file + " cannot be read: " + e.getMessage(), e);
    }
  }
}
