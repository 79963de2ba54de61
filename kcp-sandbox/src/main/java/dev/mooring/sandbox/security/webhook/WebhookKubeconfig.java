package dev.mooring.sandbox.security.webhook;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
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
 * @param trust empty for the authorities of this machine
 */
public record WebhookKubeconfig(URI server, Optional<SSLContext> trust, Optional<String> token) {
  private static final List<String> UNSUPPORTED =
      List.of(
          "client-certificate",
          "client-certificate-data",
          "exec",
          "auth-provider",
          "username",
          "tokenFile");

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
                "its user has " + field + ", which is not supported; give it a token");
          });
      return new WebhookKubeconfig(
          URI.create(Trees.text(cluster, "server")),
          authority(cluster, file).map(TrustedAuthorities::context),
          Optional.of(Trees.text(user, "token")).filter(token -> !token.isEmpty()));
    } catch (MalformedJson | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the kubeconfig of a webhook " + file + " is wrong: " + e.getMessage(), e);
    }
  }

  private static Optional<String> authority(Map<String, Object> cluster, Path file) {
    String data = Trees.text(cluster, "certificate-authority-data");
    String path = Trees.text(cluster, "certificate-authority");
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
