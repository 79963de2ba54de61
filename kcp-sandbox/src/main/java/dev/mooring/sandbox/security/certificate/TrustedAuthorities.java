package dev.mooring.sandbox.security.certificate;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** TLS to servers whose certificates given authorities have signed. */
public final class TrustedAuthorities {
  private TrustedAuthorities() {}

  /**
   * Trusts these authorities and no others.
   *
   * @param pem of their certificates
   * @throws IllegalArgumentException if it holds no certificate
   */
  public static SSLContext context(String pem) {
    try {
      Collection<? extends Certificate> authorities =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(
                  new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
      if (authorities.isEmpty()) {
        throw new IllegalArgumentException("data does not contain any valid certificates");
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
      throw new IllegalArgumentException(
          "data does not contain any valid certificates: " + e.getMessage(), e);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK cannot make a TLS context", e);
    }
  }
}
