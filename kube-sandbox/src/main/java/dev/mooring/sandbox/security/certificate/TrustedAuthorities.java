package dev.mooring.sandbox.security.certificate;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** TLS to servers whose certificates given authorities have signed. */
public final class TrustedAuthorities {
  private static final char[] NO_PASSWORD = {};

  private TrustedAuthorities() {}

  /** Whether the base64 of a PEM text holds certificates. */
  public static boolean areIn(String caBundle) {
    try {
      byte[] pem = Base64.getDecoder().decode(caBundle);
      return certificates(new String(pem, StandardCharsets.US_ASCII)).length > 0;
    } catch (IllegalArgumentException | CertificateException e) {
      return false;
    }
  }

  /**
   * Trusts these authorities and no others.
   *
   * @param pem of their certificates
   * @throws IllegalArgumentException if it holds no certificate
   */
  public static SSLContext context(String pem) {
    return context(Optional.of(pem), Optional.empty());
  }

  /**
   * As {@link #context(String)}, for a client that may log in by a certificate.
   *
   * @param pem if empty, the authorities that the JVM trusts
   */
  public static SSLContext context(Optional<String> pem, Optional<ClientIdentity> identity) {
    try {
      KeyStore own = KeyStore.getInstance("PKCS12");
      own.load(null, null);
      if (identity.isPresent()) {
        PrivateKey key =
            PemFiles.key(new StringReader(identity.get().keyPem()))
                .orElseThrow(() ->
                    new IllegalArgumentException("data does not contain a valid private key"));
        own.setKeyEntry("client", key, NO_PASSWORD, certificates(identity.get().certificatePem()));
      }
      KeyManagerFactory keys =
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
      keys.init(own, NO_PASSWORD);
      SSLContext context = SSLContext.getInstance("TLS");
      TrustManager[] trusted =
          pem.isPresent() ? new TrustManager[] {trusting(List.of(certificates(pem.get())))} : null;
      context.init(keys.getKeyManagers(), trusted, null);
      return context;
    } catch (CertificateException e) {
      throw new IllegalArgumentException(
          "data does not contain any valid certificates: " + e.getMessage(), e);
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK cannot make a TLS context", e);
    }
  }

  static X509TrustManager trusting(Collection<? extends Certificate> authorities) {
    try {
      KeyStore trust = KeyStore.getInstance("PKCS12");
      trust.load(null, null);
      for (Certificate authority : authorities) {
        trust.setCertificateEntry("ca-" + trust.size(), authority);
      }
      TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
      factory.init(trust);
      return (X509TrustManager) factory.getTrustManagers()[0];
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException("this JDK cannot verify certificates", e);
    }
  }

  private static Certificate[] certificates(String pem) throws CertificateException {
    var in = new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII));
    Certificate[] found =
        CertificateFactory.getInstance("X.509")
            .generateCertificates(in)
            .toArray(Certificate[]::new);
    if (found.length == 0) {
      throw new IllegalArgumentException("data does not contain any valid certificates");
    }
    return found;
  }
}
