package dev.mooring.harness;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Asks a server whether it is there, or for what no client of this project asks otherwise. */
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

  /**
   * Trusts what the kubeconfig trusts (without an authority in it, what the JDK trusts) and
   * presents its client certificate, if it has one.
   */
  public static HttpProbe of(Kubeconfig kubeconfig) {
    return with(
        kubeconfig.authorities(),
        kubeconfig
            .clientCertificate()
            .map(chain -> keys(chain, kubeconfig.clientKey().orElseThrow())));
  }

  /** Trusts the authorities in the PEM text and no others. */
  public static HttpProbe trusting(byte[] pem) {
    return with(Optional.of(pem), Optional.empty());
  }

  private static HttpProbe with(Optional<byte[]> authorities, Optional<KeyManager[]> keys) {
    SSLContext context = context(keys.orElse(null), authorities.map(HttpProbe::trust).orElse(null));
    return new HttpProbe(HttpClient.newBuilder().sslContext(context));
  }

  /**
   * Contexts that trust the authorities in the PEM text: a new one, without sessions, each time.
   */
  public static Supplier<SSLContext> contextsTrusting(byte[] pem) {
    TrustManager[] trust = trust(pem);
    return () -> context(null, trust);
  }

  private static SSLContext context(KeyManager @Nullable [] keys, TrustManager @Nullable [] trust) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys, trust, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new HarnessFailure("This JDK cannot make a TLS context: " + e.getMessage(), e);
    }
  }

  private static TrustManager[] trust(byte[] pem) {
    try {
      KeyStore store = emptyStore();
      int index = 0;
      for (Certificate authority : certificates(pem)) {
        store.setCertificateEntry("authority-" + index++, authority);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      return trust.getTrustManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new HarnessFailure("An authority's certificate makes no sense: " + e.getMessage(), e);
    }
  }

  private static KeyManager[] keys(byte[] chain, byte[] key) {
    char[] password = "in-memory".toCharArray();
    try {
      KeyStore store = emptyStore();
      store.setKeyEntry(
          "client", PemKey.read(key), password, certificates(chain).toArray(Certificate[]::new));
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(store, password);
      return keys.getKeyManagers();
    } catch (GeneralSecurityException | IOException e) {
      throw new HarnessFailure("A client certificate makes no sense: " + e.getMessage(), e);
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(byte[] pem)
      throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem));
  }

  /** The status of a GET; empty without an answer. */
  public Optional<Integer> status(URI url) {
    return get(url).map(HttpResponse::statusCode);
  }

  /** The body of a GET that was answered with 200; empty otherwise. */
  public Optional<String> body(URI url) {
    return get(url).filter(response -> response.statusCode() == 200).map(HttpResponse::body);
  }

  /** What a request was answered with. */
  public record Answer(int status, String body) {}

  /**
   * A DELETE; a {@link HarnessFailure} if the server does not answer.
   *
   * @param token empty if the client certificate says who asks
   */
  public Answer delete(URI url, Optional<String> token) {
    try {
      var request = HttpRequest.newBuilder(url).timeout(Duration.ofSeconds(60)).DELETE();
      token.ifPresent(bearer -> request.header("Authorization", "Bearer " + bearer));
      HttpResponse<String> answer =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
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
}
