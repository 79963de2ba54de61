package dev.mooring.sandbox.junit;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.junit.KcpConnection.Credentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.StringReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;

/** The extension's own requests to kcp: the few that make workspaces. Thread-safe. */
final class KcpClient implements AutoCloseable {
  private static final Duration TIMEOUT = Duration.ofSeconds(30);

  private final KcpConnection connection;
  private final HttpClient http;

  /**
   * @param body empty if the server sent no JSON object
   */
  record Answer(int status, KubeObject body) {
    boolean isSuccess() {
      return status >= 200 && status < 300;
    }

    /** Of a failure, as the server puts it. */
    String message() {
      String message = body.text("message");
      return message.isEmpty() ? "status " + status : message;
    }
  }

  KcpClient(KcpConnection connection) {
    this.connection = connection;
    this.http = HttpClient.newBuilder().connectTimeout(TIMEOUT).sslContext(tls()).build();
  }

  /**
   * @param path such as {@code /clusters/root/api/v1/namespaces}
   */
  Answer get(String path) {
    return send(request(path).GET());
  }

  Answer post(String path, Map<String, ?> object) {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(KubeJson.write(object))));
  }

  Answer delete(String path) {
    return send(request(path).DELETE());
  }

  private HttpRequest.Builder request(String path) {
    URI url = URI.create(connection.server() + path);
    HttpRequest.Builder request = HttpRequest.newBuilder(url).timeout(TIMEOUT);
    return connection.credentials() instanceof Credentials.Token(String token)
        ? request.header("Authorization", "Bearer " + token)
        : request;
  }

  private Answer send(HttpRequest.Builder builder) {
    HttpRequest request = builder.build();
    try {
      HttpResponse<byte[]> response = http.send(request, BodyHandlers.ofByteArray());
      return new Answer(response.statusCode(), object(response.body()));
    } catch (IOException e) {
      throw new KcpProblem("kcp does not answer at " + request.uri() + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KcpProblem("interrupted while waiting for the answer of " + request.uri(), e);
    }
  }

  private static KubeObject object(byte[] body) {
    try {
      return KubeJson.readObject(body);
    } catch (MalformedJson plainText) {
      String text = new String(body, StandardCharsets.UTF_8).strip();
      return KubeObject.of(text.isEmpty() ? Map.of() : Map.of("message", text));
    }
  }

  private SSLContext tls() {
    try {
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(
          connection.credentials() instanceof Credentials.ClientCertificate certificate
              ? keys(certificate)
              : null,
          connection.certificateAuthority().isPresent()
              ? trust(connection.certificateAuthority().get())
              : null,
          null);
      return context;
    } catch (GeneralSecurityException | IOException e) {
      throw new KcpProblem(
          "the certificates for %s cannot be used: %s".formatted(connection.url(), e.getMessage()),
          e);
    }
  }

  private static TrustManager[] trust(String pem) throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    for (Certificate authority : certificates(pem)) {
      store.setCertificateEntry("authority-" + store.size(), authority);
    }
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    return trust.getTrustManagers();
  }

  private static KeyManager[] keys(Credentials.ClientCertificate own)
      throws GeneralSecurityException, IOException {
    KeyStore store = emptyStore();
    store.setKeyEntry(
        "own",
        key(own.keyPem()),
        new char[0],
        certificates(own.certificatePem()).toArray(Certificate[]::new));
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, new char[0]);
    return keys.getKeyManagers();
  }

  private static PrivateKey key(String pem) throws IOException {
    try (var parser = new PEMParser(new StringReader(pem))) {
      var converter = new JcaPEMKeyConverter();
      return switch (parser.readObject()) {
        case PrivateKeyInfo info -> converter.getPrivateKey(info);
        case PEMKeyPair pair -> converter.getKeyPair(pair).getPrivate();
        case null, default -> throw new IOException("the client key is no PEM private key");
      };
    }
  }

  private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    return store;
  }

  private static Collection<? extends Certificate> certificates(String pem)
      throws GeneralSecurityException {
    return CertificateFactory.getInstance("X.509")
        .generateCertificates(new ByteArrayInputStream(pem.getBytes(StandardCharsets.UTF_8)));
  }

  @Override
  public void close() {
    http.shutdownNow();
  }
}
