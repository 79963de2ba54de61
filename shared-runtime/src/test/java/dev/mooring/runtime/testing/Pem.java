package dev.mooring.runtime.testing;

import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Certificates and keys as kubeconfigs hold them. */
public final class Pem {
  private Pem() {}

  public static String of(X509Certificate certificate) {
    try {
      return block("CERTIFICATE", certificate.getEncoded());
    } catch (CertificateEncodingException e) {
      throw new IllegalStateException(e);
    }
  }

  public static String of(Key key) {
    return block("PRIVATE KEY", key.getEncoded());
  }

  public static String base64(X509Certificate... certificates) {
    String all = Stream.of(certificates).map(Pem::of).collect(Collectors.joining());
    return Base64.getEncoder().encodeToString(all.getBytes(StandardCharsets.UTF_8));
  }

  private static String block(String what, byte[] content) {
    return "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n"
        .formatted(what, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content));
  }
}
