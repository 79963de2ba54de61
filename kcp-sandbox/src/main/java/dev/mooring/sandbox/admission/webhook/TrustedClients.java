package dev.mooring.sandbox.admission.webhook;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.http.HttpClient;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** One HTTP client per {@code caBundle}; the ones not used for longest go first. Thread-safe. */
final class TrustedClients implements AutoCloseable {
  private static final int CLIENTS_MAX = 128;
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);

  private final SequencedMap<String, HttpClient> clients = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * @param caBundle base64 of PEM; empty for the trust of this machine
   * @throws IllegalArgumentException if it holds no certificate
   */
  synchronized HttpClient trusting(String caBundle) {
    HttpClient known = clients.get(caBundle);
    if (known != null) {
      return known;
    }
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .followRedirects(HttpClient.Redirect.NEVER)
            .connectTimeout(CONNECT_TIMEOUT);
    if (!caBundle.isEmpty()) {
      builder.sslContext(context(caBundle));
    }
    HttpClient made = builder.build();
    clients.put(caBundle, made);
    if (clients.size() > CLIENTS_MAX) {
      // Its calls in flight end on their own; the client is collected afterwards.
      clients.pollFirstEntry().getValue().shutdown();
    }
    return made;
  }

  private static SSLContext context(String caBundle) {
    try {
      byte[] pem = Base64.getDecoder().decode(caBundle);
      Collection<? extends Certificate> authorities =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem));
      if (authorities.isEmpty()) {
        throw new IllegalArgumentException("caBundle holds no certificate");
      }
      KeyStore trust = KeyStore.getInstance("PKCS12");
      trust.load(null, null);
      int number = 0;
      for (Certificate authority : authorities) {
        trust.setCertificateEntry("ca-" + number++, authority);
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      factory.init(trust);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, factory.getTrustManagers(), null);
      return context;
    } catch (CertificateException e) {
      throw new IllegalArgumentException("caBundle holds no certificate: " + e.getMessage(), e);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK cannot make a TLS context", e);
    }
  }

  @Override
  public synchronized void close() {
    clients.values().forEach(HttpClient::shutdownNow);
    clients.clear();
  }
}
