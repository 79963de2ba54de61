package dev.mooring.sandbox.webhook;

import dev.mooring.sandbox.security.certificate.TrustedAuthorities;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.SequencedMap;
import javax.net.ssl.SSLContext;

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
    String pem = new String(Base64.getDecoder().decode(caBundle), StandardCharsets.US_ASCII);
    return TrustedAuthorities.context(pem);
  }

  @Override
  public synchronized void close() {
    clients.values().forEach(HttpClient::shutdownNow);
    clients.clear();
  }
}
