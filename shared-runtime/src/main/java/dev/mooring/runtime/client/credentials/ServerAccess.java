package dev.mooring.runtime.client.credentials;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.utils.HttpClientUtils;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A server and what it takes to be let in there, as some files had it at one time.
 *
 * @param server without a slash at its end
 */
public record ServerAccess(
    URI server, CredentialFiles files, Config config, Credentials credentials) {
  /** Throws as {@link Kubeconfig#read}. */
  public static ServerAccess ofKubeconfig(Path file, ConnectionOptions options) {
    CredentialFiles files = CredentialFiles.of(Stream.of(file));
    Kubeconfig read = Kubeconfig.read(file, options.context());
    return of(files, read.config(), read.credentials(), options);
  }

  /**
   * That of the service account that Kubernetes mounts into a pod.
   *
   * @throws IllegalArgumentException outside a pod
   */
  public static ServerAccess ofPod(
      Map<String, String> environment, Path serviceAccount, ConnectionOptions options) {
    String host = environment.get("KUBERNETES_SERVICE_HOST");
    String port = environment.get("KUBERNETES_SERVICE_PORT");
    if (host == null || port == null) {
      throw new IllegalArgumentException(
          "not in a pod: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set; name a"
              + " kubeconfig instead");
    }
    Config config = Config.empty();
    config.setMasterUrl("https://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + port);
    config.setCaCertFile(serviceAccount.resolve("ca.crt").toString());
    Credentials token = Credentials.tokenFile(serviceAccount.resolve("token"));
    return of(CredentialFiles.of(Stream.empty()), config, token, options);
  }

  private static ServerAccess of(
      CredentialFiles files, Config config, Credentials credentials, ConnectionOptions options) {
    options.server().ifPresent(config::setMasterUrl);
    options
        .caFile()
        .ifPresent(file -> {
          config.setCaCertData(null);
          config.setCaCertFile(file.toString());
        });
    // A second attempt of a write would hide that the first may have happened; callers decide.
    config.setRequestRetryBackoffLimit(0);
    config.setUserAgent(options.userAgent());
    config.setConnectionTimeout((int) options.connectTimeout().toMillis());
    CredentialFiles all =
        files.and(
            Stream.of(config.getCaCertFile(), config.getClientCertFile(), config.getClientKeyFile())
                .filter(file -> file != null && !file.isEmpty())
                .map(Path::of));
    return new ServerAccess(
        URI.create(withoutSlash(config.getMasterUrl())), all, config, credentials);
  }

  /**
   * Reads the certificates; connects to nothing yet.
   *
   * @throws IllegalArgumentException if they cannot be used
   */
  public HttpClient open() {
    Optional<String> algorithm = ClientKeys.algorithm(config);
    algorithm.ifPresent(config::setClientKeyAlgo);
    try {
      algorithm.ifPresent(certified -> ClientKeys.requirePair(config, certified));
      HttpClient.Builder builder = HttpClientUtils.getHttpClientFactory().newBuilder(config);
      builder.addOrReplaceInterceptor(TokenRefreshInterceptor.NAME, credentials);
      return builder.build();
    } catch (RuntimeException e) {
      // fabric8 lets its parsers' own exceptions through.
      throw new IllegalArgumentException(
          "the certificates for " + server + " (" + files + ") cannot be used: " + e.getMessage(),
          e);
    }
  }

  public static String withoutSlash(String url) {
    return url.endsWith("/") ? url.substring(0, url.length() - 1) : url;
  }

  /** Never the credentials. */
  @Override
  public String toString() {
    return "ServerAccess[" + server + ", " + files + "]";
  }
}
