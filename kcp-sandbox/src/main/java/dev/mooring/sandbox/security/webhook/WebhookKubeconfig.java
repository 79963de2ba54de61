package dev.mooring.sandbox.security.webhook;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.security.certificate.ClientIdentity;
import dev.mooring.sandbox.security.certificate.PemFiles;
import dev.mooring.sandbox.security.certificate.TrustedAuthorities;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * Where a webhook is, from the current context of a kubeconfig. {@link #toString} shows no secret.
 *
 * @param tls with the client certificate, if there is one
 */
public record WebhookKubeconfig(URI server, SSLContext tls, Optional<String> token) {
  private static final String CERTIFICATE = "client-certificate";
  private static final String KEY = "client-key";
  private static final List<String> UNSUPPORTED =
      List.of("exec", "auth-provider", "username", "tokenFile");

  /**
   * Reads the file; paths in it are relative to its directory.
   *
   * @throws IllegalArgumentException that names the file and what is wrong with it
   * @throws java.io.UncheckedIOException if it or a file that it names cannot be read
   */
  public static WebhookKubeconfig read(Path file) {
    try {
      KubeObject config = KubeObject.of(Trees.mapOrEmpty(YamlText.read(PemFiles.readText(file))));
      Map<String, Object> context =
          named(config.list("contexts"), config.text("current-context"), "context");
      Map<String, Object> cluster =
          named(config.list("clusters"), Trees.text(context, "cluster"), "cluster");
      String userName = Trees.text(context, "user");
      Map<String, Object> user =
          userName.isEmpty() ? Map.of() : named(config.list("users"), userName, "user");
      UNSUPPORTED.stream()
          .filter(user::containsKey)
          .findFirst()
          .ifPresent(field -> {
            throw new IllegalArgumentException(
                "its user has "
                    + field
                    + ", which is not supported; give it a token or a client certificate");
          });
      return new WebhookKubeconfig(
          URI.create(Trees.text(cluster, "server")),
          TrustedAuthorities.context(
              pem(cluster, "certificate-authority", file),
              pem(user, CERTIFICATE, file)
                  .map(certificate ->
                      new ClientIdentity(
                          certificate,
                          pem(user, KEY, file)
                              .orElseThrow(() ->
                                  new IllegalArgumentException(
                                      "its user has " + CERTIFICATE + " without " + KEY))))),
          Optional.of(Trees.text(user, "token")).filter(token -> !token.isEmpty()));
    } catch (MalformedJson | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the kubeconfig of a webhook " + file + " is wrong: " + e.getMessage(), e);
    }
  }

  /** In the field itself, or in the file that it names. */
  private static Optional<String> pem(Map<String, Object> entry, String field, Path file) {
    String data = Trees.text(entry, field + "-data");
    String path = Trees.text(entry, field);
    if (!data.isEmpty()) {
      return Optional.of(new String(Base64.getDecoder().decode(data), StandardCharsets.US_ASCII));
    }
    return path.isEmpty()
        ? Optional.empty()
        : Optional.of(PemFiles.readText(file.toAbsolutePath().resolveSibling(path)));
  }

  private static Map<String, Object> named(List<Object> entries, String name, String kind) {
    return entries.stream()
        .filter(entry -> Trees.text(entry, "name").equals(name))
        .findFirst()
        .map(entry -> Trees.mapOrEmpty(Trees.at(entry, kind)))
        .orElseThrow(() -> new IllegalArgumentException("it has no " + kind + " \"" + name + "\""));
  }

  @Override
  public String toString() {
    return "WebhookKubeconfig[" + server + "]";
  }
}
