package dev.mooring.depwebhook.config;

import dev.mooring.depwebhook.certificate.CertificateSource;
import dev.mooring.depwebhook.certificate.CertificateState;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;

/** The certificate in mounted files, which the SSL bundle watches. */
record MountedCertificate(DefaultSslBundleRegistry bundles) implements CertificateSource {
  @Override
  public CertificateState state() {
    return new CertificateState.Mounted();
  }

  /** The bundle as it is by now: files may have been replaced while the server began to listen. */
  @Override
  public void follow() {
    bundles.updateBundle(SslBundleUpdater.BUNDLE, bundles.getBundle(SslBundleUpdater.BUNDLE));
  }
}
