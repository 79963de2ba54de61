package dev.mooring.sandbox.security.oidc;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The file of Kubernetes' option {@code --authentication-config}. */
public final class AuthenticationConfiguration {
  private static final Set<String> VERSIONS =
      Set.of(
          "apiserver.config.k8s.io/v1",
          "apiserver.config.k8s.io/v1beta1",
          "apiserver.config.k8s.io/v1alpha1");
  private static final Set<String> FIELDS = Set.of("apiVersion", "kind", "jwt");

  private AuthenticationConfiguration() {}

  /**
   * Its issuers.
   *
   * @throws UncheckedIOException if it cannot be read
   * @throws IllegalArgumentException that names the file, and what is wrong
   */
  public static JwtAuthenticators read(Path file, JwtAuthenticators.Terms terms) {
    try {
      KubeObject configuration =
          KubeObject.of(Trees.mapOrEmpty(YamlText.read(Files.readString(file))));
      if (!VERSIONS.contains(configuration.apiVersion())
          || !configuration.kind().equals("AuthenticationConfiguration")) {
        throw new IllegalArgumentException(
            "no AuthenticationConfiguration of apiserver.config.k8s.io/v1, but %s of %s"
                .formatted(configuration.kind(), configuration.apiVersion()));
      }
      requireKnown(configuration.tree());
      List<Object> entries = configuration.list("jwt");
      return JwtAuthenticators.of(entries, "jwt", terms);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the authentication configuration " + file, e);
    } catch (MalformedJson | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the authentication configuration " + file + " is wrong: " + e.getMessage(), e);
    }
  }

  private static void requireKnown(Map<String, Object> tree) {
    tree.keySet().stream()
        .filter(field -> !FIELDS.contains(field))
        .findFirst()
        .ifPresent(field -> {
          throw new IllegalArgumentException(
              field.equals("anonymous")
                  ? "anonymous is not supported; remove it"
                  : "strict decoding error: unknown field \"" + field + "\"");
        });
  }
}
