package dev.mooring.sandbox.builtin.core;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.ASN1Encodable;
import org.bouncycastle.asn1.ASN1ObjectIdentifier;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.Ed25519PublicKeyParameters;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.params.RSAPrivateCrtKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.PublicKeyFactory;

/** Whether a certificate and a key in PEM belong together, as Go's {@code tls.X509KeyPair} says. */
final class TlsKeyPair {
  private static final Pattern BLOCK =
      Pattern.compile(
          "(?m)^-----BEGIN ([^\\n-]+)-----\\s*\\n([A-Za-z0-9+/=\\s]*)-----END \\1-----\\s*$");
  private static final String KEY = "PRIVATE KEY";
  private static final String CERTIFICATE = "CERTIFICATE";

  private record Block(String type, byte[] content) {}

  private TlsKeyPair() {}

  /** Why they cannot be used together; empty if they can. */
  static Optional<String> problem(byte[] certificate, byte[] key) {
    List<Block> chain = blocks(certificate);
    List<Block> keys = blocks(key);
    Optional<Block> leaf =
        chain.stream().filter(block -> block.type().equals(CERTIFICATE)).findFirst();
    if (leaf.isEmpty()) {
      return Optional.of("tls: failed to find " + noCertificate(types(chain)));
    }
    Optional<Block> found =
        keys.stream()
            .filter(block -> block.type().equals(KEY) || block.type().endsWith(" " + KEY))
            .findFirst();
    return found.isEmpty()
        ? Optional.of("tls: " + noKey(types(keys)))
        : mismatch(leaf.get(), found.get());
  }

  private static String noCertificate(List<String> skipped) {
    if (skipped.isEmpty()) {
      return "any PEM data in certificate input";
    }
    return skipped.size() == 1 && skipped.getFirst().endsWith(KEY)
        ? "certificate PEM data in certificate input, but did find a private key; PEM inputs may"
            + " have been switched"
        : "\"CERTIFICATE\" PEM block in certificate input after skipping PEM blocks of the following"
            + " types: ["
            + String.join(" ", skipped)
            + "]";
  }

  private static String noKey(List<String> skipped) {
    if (skipped.isEmpty()) {
      return "failed to find any PEM data in key input";
    }
    return skipped.equals(List.of(CERTIFICATE))
        ? "found a certificate rather than a key in the PEM for the private key"
        : "failed to find PEM block with type ending in \"PRIVATE KEY\" in key input after skipping"
            + " PEM blocks of the following types: ["
            + String.join(" ", skipped)
            + "]";
  }

  private static List<String> types(List<Block> blocks) {
    return blocks.stream().map(Block::type).toList();
  }

  private static List<Block> blocks(byte[] pem) {
    var blocks = new ArrayList<Block>();
    var matcher = BLOCK.matcher(new String(pem, StandardCharsets.ISO_8859_1));
    while (matcher.find()) {
      try {
        blocks.add(
            new Block(
                matcher.group(1),
                Base64.getDecoder().decode(matcher.group(2).replaceAll("\\s", ""))));
      } catch (IllegalArgumentException noBase64) {
        // Go passes over it as well.
        continue;
      }
    }
    return blocks;
  }

  private static Optional<String> mismatch(Block certificate, Block key) {
    AsymmetricKeyParameter known;
    try {
      known =
          PublicKeyFactory.createKey(
              Certificate.getInstance(certificate.content()).getSubjectPublicKeyInfo());
    } catch (java.io.IOException | RuntimeException malformed) {
      return Optional.of("x509: malformed certificate");
    }
    Optional<AsymmetricKeyParameter> secret = privateKey(key.content());
    if (secret.isEmpty()) {
      return Optional.of("tls: failed to parse private key");
    }
    Optional<Boolean> same = belongs(known, secret.get());
    if (same.isEmpty()) {
      return Optional.of("tls: private key type does not match public key type");
    }
    return same.get()
        ? Optional.empty()
        : Optional.of("tls: private key does not match public key");
  }

  /** Empty if the keys are of different types. */
  private static Optional<Boolean> belongs(
      AsymmetricKeyParameter known, AsymmetricKeyParameter secret) {
    if (known instanceof RSAKeyParameters shown
        && secret instanceof RSAPrivateCrtKeyParameters rsa) {
      return Optional.of(
          rsa.getModulus().equals(shown.getModulus())
              && rsa.getPublicExponent().equals(shown.getExponent()));
    }
    if (known instanceof ECPublicKeyParameters shown
        && secret instanceof ECPrivateKeyParameters ec) {
      return Optional.of(
          ec.getParameters().getCurve().equals(shown.getParameters().getCurve())
              && ec.getParameters().getG().multiply(ec.getD()).equals(shown.getQ()));
    }
    if (known instanceof Ed25519PublicKeyParameters shown
        && secret instanceof Ed25519PrivateKeyParameters ed) {
      return Optional.of(
          java.util.Arrays.equals(ed.generatePublicKey().getEncoded(), shown.getEncoded()));
    }
    return Optional.empty();
  }

  /** From PKCS #1, PKCS #8 or SEC 1. */
  private static Optional<AsymmetricKeyParameter> privateKey(byte[] der) {
    List<java.util.function.Supplier<PrivateKeyInfo>> forms =
        List.of(
            () -> info(PKCSObjectIdentifiers.rsaEncryption, null, RSAPrivateKey.getInstance(der)),
            () -> PrivateKeyInfo.getInstance(der),
            () -> {
              var ec = ECPrivateKey.getInstance(der);
              return info(X9ObjectIdentifiers.id_ecPublicKey, ec.getParametersObject(), ec);
            });
    for (var form : forms) {
      try {
        return Optional.of(PrivateKeyFactory.createKey(form.get()));
      } catch (java.io.IOException | RuntimeException another) {
        continue;
      }
    }
    return Optional.empty();
  }

  private static PrivateKeyInfo info(
      ASN1ObjectIdentifier algorithm,
      @org.jspecify.annotations.Nullable ASN1Encodable parameters,
      ASN1Encodable key) {
    try {
      return new PrivateKeyInfo(new AlgorithmIdentifier(algorithm, parameters), key);
    } catch (java.io.IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
