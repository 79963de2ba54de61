package dev.mooring.runtime.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.X509Certificate;

/** A certificate of a client, signed by itself, as the JDK's keytool makes it. */
public record ClientCertificate(X509Certificate certificate, Key key) {
  private static final String PASSWORD = "client";

  /**
   * @param algorithm {@code EC} or {@code RSA}
   */
  public static ClientCertificate make(Path directory, String name, String algorithm)
      throws IOException, InterruptedException, GeneralSecurityException {
    Path store = directory.resolve(name + ".p12");
    int failed =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "client",
                "-keyalg",
                algorithm,
                "-dname",
                "CN=" + name,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store.toString())
            .inheritIO()
            .start()
            .waitFor();
    if (failed != 0) {
      throw new IllegalStateException("keytool: " + failed);
    }
    KeyStore made = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      made.load(in, PASSWORD.toCharArray());
    }
    return new ClientCertificate(
        (X509Certificate) made.getCertificate("client"),
        made.getKey("client", PASSWORD.toCharArray()));
  }

  public String certificatePem() {
    return Pem.of(certificate);
  }

  public String keyPem() {
    return Pem.of(key);
  }
}
