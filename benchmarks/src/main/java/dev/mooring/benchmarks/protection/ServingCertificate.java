package dev.mooring.benchmarks.protection;

import dev.mooring.benchmarks.common.BenchmarkFailure;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Set;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;

/**
 * What a webhook on this machine serves with.
 *
 * @param directory with {@code tls.crt} and {@code tls.key}, signed by {@code ca.crt}
 */
record ServingCertificate(Path directory) {
  /** Makes it, or takes what an earlier run has left. */
  static ServingCertificate in(Path directory) {
    try {
      Files.createDirectories(directory);
      var now = SystemTime.clock().instant();
      CertificateAuthority.in(directory, now).serverIdentity(Set.of(), now);
      for (String ending : Set.of(".crt", ".key")) {
        Files.copy(
            directory.resolve("apiserver" + ending),
            directory.resolve("tls" + ending),
            StandardCopyOption.REPLACE_EXISTING,
            StandardCopyOption.COPY_ATTRIBUTES);
      }
      return new ServingCertificate(directory);
    } catch (IOException e) {
      throw new BenchmarkFailure("No certificate could be put into " + directory, e);
    }
  }

  /** The authority, as a webhook configuration wants it. */
  String bundle() {
    try {
      return Base64.getEncoder().encodeToString(Files.readAllBytes(directory.resolve("ca.crt")));
    } catch (IOException e) {
      throw new BenchmarkFailure("The authority's certificate cannot be read", e);
    }
  }

  /** For clients that trust only this authority; a new one, without sessions, each time. */
  Supplier<SSLContext> trust() {
    try (var in = Files.newInputStream(directory.resolve("ca.crt"))) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(in));
      var managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      managers.init(store);
      return () -> context(managers.getTrustManagers());
    } catch (IOException | GeneralSecurityException e) {
      throw new BenchmarkFailure("The authority's certificate cannot be trusted", e);
    }
  }

  private static SSLContext context(TrustManager[] trusted) {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trusted, null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new BenchmarkFailure("TLS cannot be spoken", e);
    }
  }
}
