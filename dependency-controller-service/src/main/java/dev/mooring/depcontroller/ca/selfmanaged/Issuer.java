package dev.mooring.depcontroller.ca.selfmanaged;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Date;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.CertIOException;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Issues certificates with keys on P-256. */
final class Issuer {
  static final Duration CA_LIFE = Duration.ofDays(365);
  static final Duration SERVING_LIFE = Duration.ofDays(30);

  /**
   * Certificates are valid from so long before their issue: clocks of API servers may be behind.
   */
  static final Duration SKEW = Duration.ofMinutes(5);

  /** At most 20 (RFC 5280, 4.1.2.2). */
  private static final int SERIAL_BYTES = 16;

  private static final Pattern ADDRESS =
      Pattern.compile("[0-9.]+|\\[?[0-9a-fA-F:]*:[0-9a-fA-F:.]*\\]?");

  private Issuer() {}

  /** A self-signed CA. */
  static KeyedCertificate ca(Instant now, String id) {
    KeyPair keys = keys();
    var name = new X500Principal("CN=dependency-webhook-ca-" + id);
    return signed(name, name, keys, keys, CA_LIFE, now, id, Optional.empty());
  }

  /** A serving certificate. */
  static KeyedCertificate serving(
      KeyedCertificate ca, Collection<String> names, Instant now, String id) {
    KeyPair keys = keys();
    var signer = new KeyPair(ca.certificate().getPublicKey(), ca.key().orElseThrow());
    GeneralName[] alternatives =
        names.stream()
            .map(name ->
                new GeneralName(
                    isAddress(name) ? GeneralName.iPAddress : GeneralName.dNSName, name))
            .toArray(GeneralName[]::new);
    return signed(
        new X500Principal("CN=dependency-webhook-" + id),
        ca.certificate().getSubjectX500Principal(),
        keys,
        signer,
        SERVING_LIFE,
        now,
        id,
        Optional.of(new GeneralNames(alternatives)));
  }

  private static KeyedCertificate signed(
      X500Principal subject,
      X500Principal issuer,
      KeyPair keys,
      KeyPair signer,
      Duration life,
      Instant now,
      String id,
      Optional<GeneralNames> names) {
    try {
      var builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              new BigInteger(
                  1, Arrays.copyOf(id.getBytes(StandardCharsets.US_ASCII), SERIAL_BYTES)),
              Date.from(now.minus(SKEW)),
              Date.from(now.plus(life)),
              subject,
              keys.getPublic());
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(names.isEmpty()));
      if (names.isPresent()) {
        builder.addExtension(Extension.subjectAlternativeName, false, names.get());
        builder.addExtension(
            Extension.extendedKeyUsage, false, new ExtendedKeyUsage(KeyPurposeId.id_kp_serverAuth));
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
      } else {
        builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign));
      }
      var holder =
          builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer.getPrivate()));
      return new KeyedCertificate(
          new JcaX509CertificateConverter().getCertificate(holder), Optional.of(keys.getPrivate()));
    } catch (CertIOException | OperatorCreationException | GeneralSecurityException e) {
      throw new IllegalStateException("a certificate cannot be made", e);
    }
  }

  private static KeyPair keys() {
    try {
      var generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("a key cannot be made", e);
    }
  }

  private static boolean isAddress(String name) {
    return ADDRESS.matcher(name).matches();
  }
}
