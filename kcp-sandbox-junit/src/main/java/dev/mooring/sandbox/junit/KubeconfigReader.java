package dev.mooring.sandbox.junit;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.junit.KcpConnection.Credentials;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the current context of a kubeconfig.
 *
 * @param file names the kubeconfig in messages; files that it refers to lie relative to it
 */
record KubeconfigReader(Path file) {

  /**
   * @throws KcpProblem if the file cannot be read, or its user has neither a token nor a
   *     certificate
   */
  KcpConnection read() {
    try {
      return read(YamlText.read(Files.readString(file)));
    } catch (IOException | MalformedJson e) {
      throw new KcpProblem("the kubeconfig " + file + " cannot be read: " + e.getMessage(), e);
    }
  }

  private KcpConnection read(@Nullable Object document) {
    String current = Trees.text(document, "current-context");
    Map<String, Object> context = entry(document, "context", current);
    Map<String, Object> cluster = entry(document, "cluster", Trees.text(context, "cluster"));
    String name = Trees.text(context, "user");
    return new KcpConnection(
        URI.create(Trees.text(cluster, "server")),
        pem(cluster, "certificate-authority"),
        credentials(name, entry(document, "user", name)));
  }

  private Credentials credentials(String name, Map<String, Object> user) {
    if (user.get("token") instanceof String token) {
      return new Credentials.Token(token);
    }
    if (user.get("tokenFile") instanceof String token) {
      return new Credentials.Token(text(token).strip());
    }
    Optional<String> certificate = pem(user, "client-certificate");
    Optional<String> key = pem(user, "client-key");
    if (certificate.isPresent() && key.isPresent()) {
      return new Credentials.ClientCertificate(certificate.get(), key.get());
    }
    throw new KcpProblem(
        "the user \"%s\" of the kubeconfig %s has neither token nor client certificate, and others"
                .formatted(name, file)
            + " are not understood here: use a context whose user has one");
  }

  private Map<String, Object> entry(@Nullable Object document, String kind, String name) {
    for (Object item : Trees.listOrEmpty(Trees.at(document, kind + "s"))) {
      if (name.equals(Trees.at(item, "name"))) {
        return Trees.mapOrEmpty(Trees.at(item, kind));
      }
    }
    throw new KcpProblem("the kubeconfig %s has no %s \"%s\"".formatted(file, kind, name));
  }

  /** What is in the entry itself, or in the file that it names. */
  private Optional<String> pem(Map<String, Object> entry, String key) {
    if (entry.get(key + "-data") instanceof String data) {
      return Optional.of(new String(Base64.getDecoder().decode(data), StandardCharsets.UTF_8));
    }
    return entry.get(key) instanceof String path ? Optional.of(text(path)) : Optional.empty();
  }

  private String text(String path) {
    Path absolute = Objects.requireNonNull(file.toAbsolutePath().getParent()).resolve(path);
    try {
      return Files.readString(absolute);
    } catch (IOException e) {
      throw new KcpProblem(
          "%s, which the kubeconfig %s names, cannot be read".formatted(absolute, file), e);
    }
  }
}
