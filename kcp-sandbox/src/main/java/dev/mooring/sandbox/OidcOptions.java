package dev.mooring.sandbox;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Which issuers of OpenID Connect tokens a server trusts for all its workspaces. */
public sealed interface OidcOptions {
  record None() implements OidcOptions {}

  /**
   * As Kubernetes' {@code --authentication-config}.
   *
   * @param file an AuthenticationConfiguration of {@code apiserver.config.k8s.io}
   */
  record ConfigFile(Path file) implements OidcOptions {}

  /**
   * One issuer, as Kubernetes' {@code --oidc-…} name it.
   *
   * @param caFile PEM of who may sign the issuer's certificate; empty for the trust of this machine
   * @param usernameClaim such as {@code sub}
   * @param usernamePrefix {@code -} for none; if empty, the URL and {@code #}, and none for the
   *     claim {@code email}
   * @param groupsClaim empty for users without groups
   * @param algorithms such as {@code RS256}
   * @param requiredClaims values by claim
   */
  record Issuer(
      String url,
      String clientId,
      Optional<Path> caFile,
      String usernameClaim,
      String usernamePrefix,
      String groupsClaim,
      String groupsPrefix,
      Set<String> algorithms,
      Map<String, String> requiredClaims)
      implements OidcOptions {
    public Issuer {
      algorithms = Set.copyOf(algorithms);
      requiredClaims = Map.copyOf(requiredClaims);
    }

    /** With Kubernetes' defaults. */
    public static Issuer of(String url, String clientId) {
      return new Issuer(
          url, clientId, Optional.empty(), "sub", "", "", "", Set.of("RS256"), Map.of());
    }
  }
}
