package dev.mooring.sandbox.junit;

import dev.mooring.model.json.KubeJson;
import dev.mooring.sandbox.security.certificate.ClientIdentity;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Where a workspace is reached, and as whom. For any client of Kubernetes:
 *
 * <pre>{@code
 * ApiClient official = Config.fromConfig(new StringReader(connection.kubeconfig()));
 * Files.writeString(file, connection.kubeconfig()); // for kubectl and other programs
 * }</pre>
 *
 * @param url such as {@code https://127.0.0.1:6443/clusters/root:team}, without a slash at its end
 * @param certificateAuthority PEM certificates that the server's is checked with; empty for those
 *     that the JVM trusts
 */
public record KcpConnection(
    URI url, Optional<String> certificateAuthority, Credentials credentials) {

  /** Who the client is. */
  public sealed interface Credentials {
    /** A bearer token. */
    record Token(String value) implements Credentials {
      /** Never the token. */
      @Override
      public String toString() {
        return "Token[]";
      }
    }

    /** A client certificate and its key, as PEM texts. */
    record ClientCertificate(String certificatePem, String keyPem) implements Credentials {
      /** Never the key. */
      @Override
      public String toString() {
        return "ClientCertificate[]";
      }
    }
  }

  /**
   * The same server and user, in a workspace.
   *
   * @param workspace a path from the root, such as {@code root:team}
   */
  public KcpConnection at(String workspace) {
    return at(URI.create(server() + "/clusters/" + workspace));
  }

  /** The same user at another URL, such as that of a virtual workspace or a shard. */
  public KcpConnection at(URI other) {
    return new KcpConnection(other, certificateAuthority, credentials);
  }

  /** The URL without a workspace, as {@code https://127.0.0.1:6443}. */
  public URI server() {
    return URI.create(url.getScheme() + "://" + url.getRawAuthority());
  }

  /** A kubeconfig with one context, in the namespace {@code default}. It holds the credentials. */
  public String kubeconfig() {
    var cluster = new LinkedHashMap<String, Object>();
    cluster.put("server", url.toString());
    certificateAuthority.ifPresent(pem -> cluster.put("certificate-authority-data", base64(pem)));
    Map<String, Object> user =
        switch (credentials) {
          case Credentials.Token(String token) -> Map.of("token", token);
          case Credentials.ClientCertificate(String certificate, String key) ->
              new ClientIdentity(certificate, key).kubeconfigUser();
        };
    Map<String, Object> context = Map.of("cluster", "kcp", "user", "kcp", "namespace", "default");
    // JSON is YAML.
    return KubeJson.writeText(
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "Config",
            "current-context",
            "kcp",
            "clusters",
            List.of(Map.of("name", "kcp", "cluster", cluster)),
            "users",
            List.of(Map.of("name", "kcp", "user", user)),
            "contexts",
            List.of(Map.of("name", "kcp", "context", context))));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
