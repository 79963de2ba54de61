package dev.mooring.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.KubeSandbox;
import dev.mooring.sandbox.kube.Sandbox;
import dev.mooring.sandbox.security.certificate.CertificateAuthority;
import dev.mooring.sandbox.security.certificate.ClientIdentity;
import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Client certificates with both protocols and both kinds of server; the rest is in conformance/.
 */
class ClientCertificateIT {
  private static final char[] PASSWORD = "test".toCharArray();

  @TempDir private Path directory;

  private enum Kind {
    KCP,
    KUBERNETES
  }

  @ParameterizedTest
  @CsvSource({"KCP, HTTP_1_1", "KCP, HTTP_2", "KUBERNETES, HTTP_1_1", "KUBERNETES, HTTP_2"})
  void aCertificateNamesTheUserAndItsGroups(Kind kind, HttpClient.Version version)
      throws Exception {
    CertificateAuthority clients = authority("clients");

    try (Sandbox sandbox = start(kind, directory.resolve("clients/ca.crt"))) {
      KubeObject user =
          whoAmI(
              sandbox,
              kind,
              version,
              clients.clientIdentity("dora", List.of("crew", "system:masters"), Instant.now()));

      assertThat(user.text("username")).isEqualTo("dora");
      assertThat(user.list("groups"))
          .containsExactly("crew", "system:masters", "system:authenticated");
    }
  }

  @ParameterizedTest
  @EnumSource(HttpClient.Version.class)
  void clientsNeedNoCertificate(HttpClient.Version version) throws Exception {
    authority("clients");

    try (Sandbox sandbox = start(Kind.KCP, directory.resolve("clients/ca.crt"))) {
      var answer = review(sandbox, Kind.KCP, version, new KeyManager[0]);

      assertThat(answer.statusCode()).isEqualTo(403);
      assertThat(answer.body()).contains("system:anonymous");
    }
  }

  @Test
  void aFileWithoutACertificateIsNamed() throws Exception {
    Path empty = Files.writeString(directory.resolve("empty.crt"), "");

    assertThatThrownBy(() -> start(Kind.KCP, empty))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(empty.toString());
  }

  private CertificateAuthority authority(String name) {
    return CertificateAuthority.in(directory.resolve(name), Instant.now());
  }

  private Sandbox start(Kind kind, Path clientCa) {
    Path root = directory.resolve("server");
    return switch (kind) {
      case KCP -> KcpSandbox.start(ServerOptions.in(root).withClientCaFile(clientCa));
      case KUBERNETES -> KubeSandbox.start(KubeOptions.in(root).withClientCaFile(clientCa));
    };
  }

  private static KubeObject whoAmI(
      Sandbox sandbox, Kind kind, HttpClient.Version version, ClientIdentity as) throws Exception {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setKeyEntry(
        "client",
        KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(content(as.keyPem()))),
        PASSWORD,
        new Certificate[] {certificate(as.certificatePem())});
    var keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(store, PASSWORD);
    var answer = review(sandbox, kind, version, keys.getKeyManagers());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return KubeObject.of(KubeJson.readObject(answer.body()).map("status", "userInfo"));
  }

  private static HttpResponse<String> review(
      Sandbox sandbox, Kind kind, HttpClient.Version version, KeyManager[] keys) throws Exception {
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry(
        "server", certificate(Files.readString(sandbox.kubeconfigFile().resolveSibling("ca.crt"))));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext tls = SSLContext.getInstance("TLS");
    tls.init(keys, trust.getTrustManagers(), null);
    String cluster = kind == Kind.KCP ? "/clusters/root" : "";
    try (HttpClient http = HttpClient.newBuilder().sslContext(tls).version(version).build()) {
      var answer =
          http.send(
              HttpRequest.newBuilder(
                      URI.create(
                          sandbox.url()
                              + cluster
                              + "/apis/authentication.k8s.io/v1/selfsubjectreviews"))
                  .header("Content-Type", "application/json")
                  .POST(
                      BodyPublishers.ofByteArray(
                          KubeJson.write(
                              Map.of(
                                  "apiVersion",
                                  "authentication.k8s.io/v1",
                                  "kind",
                                  "SelfSubjectReview"))))
                  .build(),
              BodyHandlers.ofString());
      assertThat(answer.version()).isEqualTo(version);
      return answer;
    }
  }

  private static Certificate certificate(String pem) throws Exception {
    return CertificateFactory.getInstance("X.509")
        .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
  }

  private static byte[] content(String pem) {
    return Base64.getMimeDecoder().decode(pem.replaceAll("-----[A-Z ]+-----", ""));
  }
}
