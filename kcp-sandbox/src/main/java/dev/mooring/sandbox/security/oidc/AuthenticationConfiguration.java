package dev.mooring.sandbox.security.oidc;

import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.security.user.AnonymousAccess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The file of Kubernetes' option {@code --authentication-config}, which is read once. */
public record AuthenticationConfiguration(JwtAuthenticators issuers, AnonymousAccess anonymous) {
  /** Without a file. */
  public static final AuthenticationConfiguration NONE =
      new AuthenticationConfiguration(JwtAuthenticators.NONE, AnonymousAccess.EVERYWHERE);

  private static final Set<String> VERSIONS =
      Set.of(
          "apiserver.config.k8s.io/v1",
          "apiserver.config.k8s.io/v1beta1",
          "apiserver.config.k8s.io/v1alpha1");
  private static final Set<String> FIELDS = Set.of("apiVersion", "kind", "jwt", "anonymous");

  /**
   * Reads the file.
   *
   * @throws UncheckedIOException if it cannot be read
   * @throws IllegalArgumentException that names the file, and what is wrong
   */
  public static AuthenticationConfiguration read(Path file, JwtAuthenticators.Terms terms) {
    try {
      KubeObject configuration =
          KubeObject.of(Trees.mapOrEmpty(YamlText.read(Files.readString(file))));
      if (!VERSIONS.contains(configuration.apiVersion())
          || !configuration.kind().equals("AuthenticationConfiguration")) {
        throw new IllegalArgumentException(
            "no AuthenticationConfiguration of apiserver.config.k8s.io/v1, but %s of %s"
                .formatted(configuration.kind(), configuration.apiVersion()));
      }
      requireKnown(FIELDS, configuration.tree(), "");
      return new AuthenticationConfiguration(
          JwtAuthenticators.of(configuration.list("jwt"), "jwt", terms),
          configuration.at("anonymous") != null
              ? anonymous(configuration)
              : AnonymousAccess.EVERYWHERE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read the authentication configuration " + file, e);
    } catch (MalformedJson | IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the authentication configuration " + file + " is wrong: " + e.getMessage(), e);
    }
  }

  private static AnonymousAccess anonymous(KubeObject configuration) {
    Map<String, Object> tree = configuration.map("anonymous");
    requireKnown(Set.of("enabled", "conditions"), tree, "anonymous.");
    List<Object> conditions = configuration.list("anonymous", "conditions");
    Set<String> paths = new LinkedHashSet<>();
    for (Object condition : conditions) {
      requireKnown(Set.of("path"), Trees.mapOrEmpty(condition), "anonymous.conditions[].");
      paths.add(Trees.text(condition, "path"));
    }
    if (Boolean.TRUE.equals(tree.get("enabled"))) {
      return paths.isEmpty() ? AnonymousAccess.EVERYWHERE : new AnonymousAccess(Optional.of(paths));
    }
    if (!paths.isEmpty()) {
      throw new IllegalArgumentException(
          "anonymous.conditions: enabled should be set to true when conditions are defined");
    }
    return new AnonymousAccess(Optional.of(Set.of()));
  }

  private static void requireKnown(Set<String> fields, Map<String, Object> tree, String prefix) {
    tree.keySet().stream()
        .filter(field -> !fields.contains(field))
        .findFirst()
        .ifPresent(field -> {
          throw new IllegalArgumentException(
              "strict decoding error: unknown field \"" + prefix + field + "\"");
        });
  }
}
