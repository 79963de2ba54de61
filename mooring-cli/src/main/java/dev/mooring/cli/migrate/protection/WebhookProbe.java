package dev.mooring.cli.migrate.protection;

import dev.mooring.harness.HttpProbe;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.NoSuchAlgorithmException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** What a TLS handshake with the dependency webhook comes to, made as an API server makes it. */
sealed interface WebhookProbe {
  Duration TIMEOUT = Duration.ofSeconds(5);
  int HTTPS = 443;

  /**
   * @param end of its certificate
   */
  record Trusted(Instant end) implements WebhookProbe {}

  record Untrusted(String why) implements WebhookProbe {}

  /** No connection from this machine. */
  record Silent(String why) implements WebhookProbe {}

  /** Blocks until the server answers, {@link #TIMEOUT} at most for each of its parts. */
  static WebhookProbe ask(URI url, byte[] authorities) {
    try (SSLSocket socket = (SSLSocket) context(authorities).getSocketFactory().createSocket()) {
      int millis = Math.toIntExact(TIMEOUT.toMillis());
      socket.connect(
          new InetSocketAddress(url.getHost(), url.getPort() < 0 ? HTTPS : url.getPort()), millis);
      socket.setSoTimeout(millis);
      SSLParameters parameters = socket.getSSLParameters();
      // The certificate has to be for the host of the URL.
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
      socket.setSSLParameters(parameters);
      socket.startHandshake();
      var certificate = (X509Certificate) socket.getSession().getPeerCertificates()[0];
      return new Trusted(certificate.getNotAfter().toInstant());
    } catch (SSLException e) {
      return new Untrusted(root(e));
    } catch (IOException e) {
      return new Silent(root(e));
    }
  }

  /**
   * @param authorities in PEM; empty for those that the JDK trusts
   */
  private static SSLContext context(byte[] authorities) {
    try {
      return authorities.length == 0
          ? SSLContext.getDefault()
          : HttpProbe.contextsTrusting(authorities).get();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static String root(Throwable failure) {
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return Optional.ofNullable(root.getMessage()).orElse(root.getClass().getSimpleName());
  }
}
