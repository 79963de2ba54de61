package dev.mooring.depcontroller.ca.selfmanaged;

import dev.mooring.depcontroller.ca.selfmanaged.decide.Issued;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;

/**
 * A certificate, and its key where there is one.
 *
 * @param key empty for a CA that no longer signs
 */
record KeyedCertificate(X509Certificate certificate, Optional<PrivateKey> key) {
  /**
   * @throws IllegalStateException for text that is not PEM, without quoting it
   */
  static KeyedCertificate read(String certificatePem, Optional<String> keyPem) {
    try {
      var certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(
                      new ByteArrayInputStream(certificatePem.getBytes(StandardCharsets.US_ASCII)));
      return new KeyedCertificate(certificate, keyPem.map(KeyedCertificate::privateKey));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a certificate in the Secret cannot be read", e);
    }
  }

  String certificatePem() {
    return pem(certificate);
  }

  String keyPem() {
    try {
      return pem(new JcaPKCS8Generator(key.orElseThrow(), null).generate());
    } catch (IOException e) {
      throw new IllegalStateException("a key cannot be written", e);
    }
  }

  Issued issued() {
    return new Issued(
        certificate.getSubjectX500Principal().getName(),
        certificate.getIssuerX500Principal().getName(),
        new TreeSet<>(names()),
        certificate.getNotBefore().toInstant().plus(Issuer.SKEW),
        certificate.getNotAfter().toInstant(),
        key.isPresent());
  }

  private List<String> names() {
    try {
      Collection<List<?>> names = certificate.getSubjectAlternativeNames();
      return names == null
          ? List.of()
          : names.stream().map(name -> String.valueOf(name.get(1))).toList();
    } catch (GeneralSecurityException e) {
      return List.of();
    }
  }

  private static PrivateKey privateKey(String pem) {
    try (var parser = new PEMParser(new StringReader(pem))) {
      if (parser.readObject() instanceof PrivateKeyInfo info) {
        return new JcaPEMKeyConverter().getPrivateKey(info);
      }
    } catch (IOException e) {
      throw new IllegalStateException("a key in the Secret cannot be read", e);
    }
    throw new IllegalStateException("a key in the Secret is not in PKCS #8");
  }

  private static String pem(Object object) {
    var text = new StringWriter();
    try (var writer = new JcaPEMWriter(text)) {
      writer.writeObject(object);
    } catch (IOException e) {
      throw new IllegalStateException("a certificate cannot be written", e);
    }
    return text.toString();
  }

  /** Never the key. */
  @Override
  public String toString() {
    return certificate.getSubjectX500Principal().getName();
  }
}
