package dev.mooring.sandbox.crd;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.KcpSandbox;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** Plain requests to a sandbox as its administrator. */
final class SandboxClient implements AutoCloseable {
  private final URI url;
  private final String token;
  private final HttpClient http;

  /** What came back: never an exception, whatever the status. */
  record Answer(int status, KubeObject body) {
    String message() {
      return body.text("message");
    }
  }

  SandboxClient(KcpSandbox sandbox) throws GeneralSecurityException, IOException {
    Object kubeconfig =
        new Yaml(new SafeConstructor(new LoaderOptions())).load(sandbox.kubeconfig());
    url = sandbox.url();
    token = first(kubeconfig, "users", "user", "token");
    http =
        HttpClient.newBuilder()
            .sslContext(
                trusting(
                    Base64.getDecoder()
                        .decode(
                            first(
                                kubeconfig, "clusters", "cluster", "certificate-authority-data"))))
            .build();
  }

  private static String first(Object kubeconfig, String list, String... path) {
    return (String) Trees.at(Trees.listOrEmpty(Trees.at(kubeconfig, list)).getFirst(), path);
  }

  private static SSLContext trusting(byte[] authority)
      throws GeneralSecurityException, IOException {
    var keys = KeyStore.getInstance(KeyStore.getDefaultType());
    keys.load(null, null);
    keys.setCertificateEntry(
        "authority",
        CertificateFactory.getInstance("X.509")
            .generateCertificate(new ByteArrayInputStream(authority)));
    var trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(keys);
    var context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send(request(path).GET());
  }

  Answer post(String path, KubeObject body) throws IOException, InterruptedException {
    return send(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofByteArray(KubeJson.write(body))));
  }

  Answer merge(String path, Map<String, Object> patch) throws IOException, InterruptedException {
    return send(
        request(path)
            .header("Content-Type", "application/merge-patch+json")
            .method("PATCH", BodyPublishers.ofByteArray(KubeJson.write((Object) patch))));
  }

  Answer delete(String path) throws IOException, InterruptedException {
    return send(request(path).DELETE());
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(url.resolve(path)).header("Authorization", "Bearer " + token);
  }

  private Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<byte[]> response = http.send(request.build(), BodyHandlers.ofByteArray());
    boolean json =
        response.headers().firstValue("Content-Type").orElse("").startsWith("application/json");
    return new Answer(
        response.statusCode(),
        json ? KubeJson.readObject(response.body()) : KubeObject.of(Map.of()));
  }

  @Override
  public void close() {
    http.close();
  }
}
