package dev.mooring.sandbox.builtin.core;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.bouncycastle.asn1.pkcs.PKCSObjectIdentifiers;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.pkcs.RSAPrivateKey;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.x509.AlgorithmIdentifier;
import org.bouncycastle.asn1.x509.Certificate;
import org.bouncycastle.asn1.x509.SubjectPublicKeyInfo;
import org.bouncycastle.asn1.x9.X9ObjectIdentifiers;
import org.bouncycastle.crypto.params.AsymmetricKeyParameter;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.Ed25519PrivateKeyParameters;
import org.bouncycastle.crypto.params.RSAKeyParameters;
import org.bouncycastle.crypto.params.RSAPrivateCrtKeyParameters;
import org.bouncycastle.crypto.util.PrivateKeyFactory;
import org.bouncycastle.crypto.util.PublicKeyFactory;
import org.bouncycastle.crypto.util.SubjectPublicKeyInfoFactory;
import org.bouncycastle.util.io.pem.PemObject;
import org.bouncycastle.util.io.pem.PemReader;

/** Whether a certificate and a key in PEM belong together, as Go's {@code tls.X509KeyPair} says. */
final class TlsKeyPair {
  private static final String KEY = "PRIVATE KEY";
  private static final String CERTIFICATE = "CERTIFICATE";

  private TlsKeyPair() {}

  /** Why they cannot be used together; empty if they can. */
  static Optional<String> problem(byte[] certificate, byte[] key) {
    List<PemObject> chain = blocks(certificate);
    List<PemObject> keys = blocks(key);
    Optional<PemObject> leaf =
        chain.stream().filter(block -> block.getType().equals(CERTIFICATE)).findFirst();
    if (leaf.isEmpty()) {
      return Optional.of("tls: failed to find " + noCertificate(types(chain)));
    }
    return keys.stream()
        .filter(block -> block.getType().equals(KEY) || block.getType().endsWith(" " + KEY))
        .findFirst()
        .map(found -> mismatch(leaf.get().getContent(), found.getContent()))
        .orElseGet(() -> Optional.of("tls: " + noKey(types(keys))));
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

  private static List<String> types(List<PemObject> blocks) {
    return blocks.stream().map(PemObject::getType).toList();
  }

  /** As Go does, without the blocks that are no base64. */
  private static List<PemObject> blocks(byte[] pem) {
    var blocks = new ArrayList<PemObject>();
    var reader =
        new PemReader(
            new InputStreamReader(new ByteArrayInputStream(pem), StandardCharsets.ISO_8859_1));
    while (true) {
      try {
        PemObject block = reader.readPemObject();
        if (block == null) {
          return blocks;
        }
        blocks.add(block);
      } catch (IOException | RuntimeException malformed) {
        continue;
      }
    }
  }

  private static Optional<String> mismatch(byte[] certificate, byte[] key) {
    SubjectPublicKeyInfo known;
    try {
      known = Certificate.getInstance(certificate).getSubjectPublicKeyInfo();
      PublicKeyFactory.createKey(known);
    } catch (IOException | RuntimeException malformed) {
      return Optional.of("x509: malformed certificate");
    }
    Optional<SubjectPublicKeyInfo> own = publicKey(key);
    if (own.isEmpty()) {
      return Optional.of("tls: failed to parse private key");
    }
    if (!own.get().getAlgorithm().getAlgorithm().equals(known.getAlgorithm().getAlgorithm())) {
      return Optional.of("tls: private key type does not match public key type");
    }
    return own.get().getPublicKeyData().equals(known.getPublicKeyData())
        ? Optional.empty()
        : Optional.of("tls: private key does not match public key");
  }

  /** That of a private key in PKCS #1, PKCS #8 or SEC 1; empty if it is in none of them. */
  private static Optional<SubjectPublicKeyInfo> publicKey(byte[] der) {
    List<Callable<PrivateKeyInfo>> forms =
        List.of(
            () ->
                new PrivateKeyInfo(
                    new AlgorithmIdentifier(PKCSObjectIdentifiers.rsaEncryption),
                    RSAPrivateKey.getInstance(der)),
            () -> PrivateKeyInfo.getInstance(der),
            () -> {
              var ec = ECPrivateKey.getInstance(der);
              return new PrivateKeyInfo(
                  new AlgorithmIdentifier(
                      X9ObjectIdentifiers.id_ecPublicKey, ec.getParametersObject()),
                  ec);
            });
    for (var form : forms) {
      try {
        return Optional.of(
            SubjectPublicKeyInfoFactory.createSubjectPublicKeyInfo(
                publicKey(PrivateKeyFactory.createKey(form.call()))));
      } catch (Exception another) {
        continue;
      }
    }
    return Optional.empty();
  }

  private static AsymmetricKeyParameter publicKey(AsymmetricKeyParameter secret) {
    return switch (secret) {
      case RSAPrivateCrtKeyParameters rsa ->
          new RSAKeyParameters(false, rsa.getModulus(), rsa.getPublicExponent());
      case ECPrivateKeyParameters ec ->
          new ECPublicKeyParameters(
              ec.getParameters().getG().multiply(ec.getD()), ec.getParameters());
      case Ed25519PrivateKeyParameters ed -> ed.generatePublicKey();
      default -> throw new IllegalArgumentException("Go reads no such private key");
    };
  }
}
