package dev.mooring.sandbox.security.certificate;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The current context of a kubeconfig.
 *
 * @param file files that it refers to lie relative to it
 * @param user credentials, never printed; empty if the context names none
 */
public record KubeconfigContext(
    Path file, Map<String, Object> cluster, String userName, Map<String, Object> user) {

  /**
   * @throws dev.mooring.model.json.MalformedJson if it is no YAML
   * @throws IllegalArgumentException if it lacks an entry
   * @throws java.io.UncheckedIOException if it cannot be read
   */
  public static KubeconfigContext read(Path file) {
    Object document = YamlText.read(PemFiles.readText(file));
    Map<String, Object> context =
        entry(document, "context", Trees.text(document, "current-context"));
    String user = Trees.text(context, "user");
    return new KubeconfigContext(
        file,
        entry(document, "cluster", Trees.text(context, "cluster")),
        user,
        user.isEmpty() ? Map.of() : entry(document, "user", user));
  }

  private static Map<String, Object> entry(@Nullable Object document, String kind, String name) {
    return Trees.list(document, kind + "s").stream()
        .filter(entry -> Trees.text(entry, "name").equals(name))
        .findFirst()
        .map(entry -> Trees.map(entry, kind))
        .orElseThrow(() -> new IllegalArgumentException("it has no " + kind + " \"" + name + "\""));
  }

  public URI server() {
    return URI.create(Trees.text(cluster, "server"));
  }

  /** PEM certificates that the server's is checked with. */
  public Optional<String> certificateAuthority() {
    return content(cluster, "certificate-authority");
  }

  /**
   * @throws IllegalArgumentException if it has no key
   */
  public Optional<ClientIdentity> clientCertificate() {
    return content(user, "client-certificate")
        .map(certificate ->
            new ClientIdentity(
                certificate,
                content(user, "client-key")
                    .orElseThrow(() ->
                        new IllegalArgumentException(
                            "its user has client-certificate without client-key"))));
  }

  public Optional<String> token() {
    return Optional.of(Trees.text(user, "token"))
        .filter(token -> !token.isEmpty())
        .or(() -> text(Trees.text(user, "tokenFile")).map(String::strip));
  }

  /** In the field itself, or in the file that it names. */
  private Optional<String> content(Map<String, Object> entry, String field) {
    String data = Trees.text(entry, field + "-data");
    return data.isEmpty()
        ? text(Trees.text(entry, field))
        : Optional.of(new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8));
  }

  private Optional<String> text(String path) {
    return path.isEmpty()
        ? Optional.empty()
        : Optional.of(PemFiles.readText(file.toAbsolutePath().resolveSibling(path)));
  }

  @Override
  public String toString() {
    return "KubeconfigContext[" + file + "]";
  }
}
