package dev.mooring.depwebhook.config;

import dev.mooring.depwebhook.certificate.CertificateTarget;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStore;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * Shows certificates by the SSL bundle that the web server is configured with, and which it follows
 * without a restart. Whom the server trusts, and its other settings, stay.
 */
final class SslBundleUpdater implements CertificateTarget {
  static final String BUNDLE = "webhook";

  private final DefaultSslBundleRegistry bundles;

  SslBundleUpdater(DefaultSslBundleRegistry bundles) {
    this.bundles = bundles;
  }

  @Override
  public Instant show(String certificatePem, String keyPem) {
    SslBundle before = bundles.getBundle(BUNDLE);
    Instant until;
    KeyStore keys;
    try {
      PemSslStore store = PemSslStore.load(new PemSslStoreDetails(null, certificatePem, keyPem));
      until = end(store);
      keys = new PemSslStoreBundle(store, null).getKeyStore();
    } catch (RuntimeException | KeyStoreException unusable) {
      // The message of a parser may repeat what it read.
      throw new IllegalArgumentException(
          "has a tls.crt or tls.key that is no certificate or no private key in PEM", unusable);
    }
    bundles.updateBundle(
        BUNDLE,
        SslBundle.of(
            SslStoreBundle.of(keys, null, before.getStores().getTrustStore()),
            before.getKey(),
            before.getOptions(),
            before.getProtocol()));
    return until;
  }

  /** The server's certificate in the bundle; empty if there is none that can be read. */
  Optional<X509Certificate> shown() {
    try {
      KeyStore keys = bundles.getBundle(BUNDLE).getStores().getKeyStore();
      if (keys == null) {
        return Optional.empty();
      }
      for (String alias : Collections.list(keys.aliases())) {
        if (keys.isKeyEntry(alias) && keys.getCertificate(alias) instanceof X509Certificate x509) {
          return Optional.of(x509);
        }
      }
      return Optional.empty();
    } catch (KeyStoreException | RuntimeException unreadable) {
      return Optional.empty();
    }
  }

  private static Instant end(@Nullable PemSslStore store) throws KeyStoreException {
    if (store == null
        || store.certificates() == null
        || store.certificates().isEmpty()
        || store.privateKey() == null) {
      throw new KeyStoreException("incomplete");
    }
    X509Certificate leaf = store.certificates().getFirst();
    return leaf.getNotAfter().toInstant();
  }
}
