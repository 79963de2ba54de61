package dev.mooring.depwebhook.endpoint;

import dev.mooring.runtime.time.SystemTime;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ServerIdentity;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.Base64;
import java.util.Date;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/**
 * What a service on this machine serves with, or a client shows.
 *
 * @param directory with tls.crt, tls.key and, of a service, the authority's ca.crt
 */
record TestCertificate(Path directory) {
  static TestCertificate forLocalhost(Path directory) throws Exception {
    Files.createDirectories(directory);
    var now = SystemTime.clock().instant();
    CertificateAuthority authority = CertificateAuthority.in(directory.resolve("authority"), now);
    ServerIdentity identity = authority.serverIdentity(Set.of("127.0.0.1"), now);
    Files.writeString(directory.resolve("ca.crt"), authority.certificatePem());
    write(directory.resolve("tls.key"), "PRIVATE KEY", identity.key().getEncoded());
    write(directory.resolve("tls.crt"), "CERTIFICATE", identity.certificate().getEncoded());
    return new TestCertificate(directory);
  }

  /** What a client shows; it is its own authority. */
  static TestCertificate forClient(Path directory) throws Exception {
    Files.createDirectories(directory);
    var now = SystemTime.clock().instant();
    var name = new X500Principal("CN=an API server");
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    KeyPair keys = generator.generateKeyPair();
    byte[] certificate =
        new JcaX509v3CertificateBuilder(
                name,
                BigInteger.ONE,
                Date.from(now.minus(Duration.ofHours(1))),
                Date.from(now.plus(Duration.ofHours(1))),
                name,
                keys.getPublic())
            .build(new JcaContentSignerBuilder("SHA256withECDSA").build(keys.getPrivate()))
            .getEncoded();
    write(directory.resolve("tls.key"), "PRIVATE KEY", keys.getPrivate().getEncoded());
    write(directory.resolve("tls.crt"), "CERTIFICATE", certificate);
    return new TestCertificate(directory);
  }

  /** What a client needs to believe a server with a certificate of this authority. */
  static SSLContext trusting(Path authority) throws Exception {
    return believing(authority, new KeyManager[0]);
  }

  /** The same for a client with a certificate of its own. */
  static SSLContext showing(Path directory, Path authority) throws Exception {
    KeyStore store =
        new PemSslStoreBundle(
                PemSslStoreDetails.forCertificate(directory.resolve("tls.crt").toUri().toString())
                    .withPrivateKey(directory.resolve("tls.key").toUri().toString()),
                null)
            .getKeyStore();
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    return believing(authority, keys.getKeyManagers());
  }

  private static SSLContext believing(Path authority, KeyManager[] shown) throws Exception {
    KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
    store.load(null, null);
    try (InputStream pem = Files.newInputStream(authority)) {
      store.setCertificateEntry(
          "ca", CertificateFactory.getInstance("X.509").generateCertificate(pem));
    }
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(shown, trust.getTrustManagers(), null);
    return context;
  }

  /** The certificate that a server shows to whoever comes. */
  static X509Certificate servedAt(int port) throws Exception {
    try (var socket = (SSLSocket) anyone().getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.startHandshake();
      return (X509Certificate) socket.getSession().getPeerCertificates()[0];
    }
  }

  /** The certificate of a directory. */
  static X509Certificate in(Path directory) throws Exception {
    try (InputStream pem = Files.newInputStream(directory.resolve("tls.crt"))) {
      return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(pem);
    }
  }

  /** What a server and a client agree on who speaks nothing but this protocol. */
  static String protocolAt(int port, String protocol) throws Exception {
    try (var socket = (SSLSocket) anyone().getSocketFactory().createSocket("127.0.0.1", port)) {
      socket.setEnabledProtocols(new String[] {protocol});
      socket.startHandshake();
      return socket.getSession().getProtocol();
    }
  }

  private static SSLContext anyone() throws Exception {
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, new TrustManager[] {new Anyone()}, null);
    return context;
  }

  /** Only looks. */
  private static final class Anyone implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private static void write(Path file, String label, byte[] der) throws IOException {
    String base64 =
        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII)).encodeToString(der);
    Files.writeString(
        file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(label, base64));
  }
}
