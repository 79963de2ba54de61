package dev.mooring.depwebhook.config;

import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.cert.X509Certificate;
import java.util.Collections;
import java.util.Optional;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * The serving certificate in mounted files, which the web server's SSL bundle watches.
 *
 * @param bundles with a bundle named {@value #BUNDLE}
 */
@Component
record MountedCertificate(DefaultSslBundleRegistry bundles) {
  static final String BUNDLE = "webhook";

  /**
   * Serves the bundle as it is by now: files may have been replaced while the server began to
   * listen.
   */
  @EventListener(ApplicationStartedEvent.class)
  void update() {
    bundles.updateBundle(BUNDLE, bundles.getBundle(BUNDLE));
  }

  /** The server's certificate in the bundle; empty if there is none that can be read. */
  Optional<X509Certificate> served() {
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
}
