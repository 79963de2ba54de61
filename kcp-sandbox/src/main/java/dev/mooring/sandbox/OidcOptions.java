package dev.mooring.sandbox;

import dev.mooring.sandbox.security.certificate.PemFiles;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
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

    /** What the options of Kubernetes mean in an AuthenticationConfiguration. */
    Map<String, Object> entry() {
      String prefix =
          switch (usernamePrefix) {
            case "-" -> "";
            case "" -> usernameClaim.equals("email") ? "" : url + "#";
            default -> usernamePrefix;
          };
      var mappings = new LinkedHashMap<String, Object>();
      mappings.put("username", Map.of("claim", usernameClaim, "prefix", prefix));
      if (!groupsClaim.isEmpty()) {
        mappings.put("groups", Map.of("claim", groupsClaim, "prefix", groupsPrefix));
      }
      return Map.of(
          "issuer",
              Map.of(
                  "url", url,
                  "audiences", List.of(clientId),
                  "certificateAuthority", caFile.map(PemFiles::readText).orElse("")),
          "claimMappings", mappings,
          "claimValidationRules",
              requiredClaims.entrySet().stream()
                  .map(claim -> Map.of("claim", claim.getKey(), "requiredValue", claim.getValue()))
                  .toList());
    }
  }
}
