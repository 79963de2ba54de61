package dev.mooring.harness;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.security.PrivateKey;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** A private key as kubeconfigs hold it: PKCS #8, PKCS #1 or SEC 1. */
final class PemKey {
  private PemKey() {}

  /** Throws {@link IOException} for what is no unencrypted key. */
  static PrivateKey read(byte[] pem) throws IOException {
    try (var parser = new PEMParser(new StringReader(new String(pem, StandardCharsets.US_ASCII)))) {
      return switch (parser.readObject()) {
        case PrivateKeyInfo info -> new JcaPEMKeyConverter().getPrivateKey(info);
        case PEMKeyPair pair -> new JcaPEMKeyConverter().getKeyPair(pair).getPrivate();
        case null, default -> throw new IOException("no private key in PEM");
      };
    }
  }
}
