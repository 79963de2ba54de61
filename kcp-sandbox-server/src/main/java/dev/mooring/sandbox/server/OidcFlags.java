package dev.mooring.sandbox.server;

import dev.mooring.sandbox.OidcOptions;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Kubernetes' options about issuers of tokens. */
final class OidcFlags {
  @Option(
      names = "--authentication-config",
      description =
          "an AuthenticationConfiguration: issuers whose OpenID Connect tokens log in, how their"
              + " claims become users, and where anonymous users may be")
  private @Nullable Path configFile;

  @Option(names = "--oidc-issuer-url", description = "an issuer whose tokens log in, as https URL")
  private @Nullable String url;

  @Option(names = "--oidc-client-id", description = "audience that its tokens must name")
  private @Nullable String clientId;

  @Option(
      names = "--oidc-ca-file",
      description =
          "PEM certificates of who may sign the issuer's (default: those of this machine)")
  private @Nullable Path caFile;

  @Option(
      names = "--oidc-username-claim",
      description = "claim that is the user's name (default: sub)")
  private @Nullable String usernameClaim;

  @Option(
      names = "--oidc-username-prefix",
      description =
          "before the user's name, - for none (default: none for the claim email, else the issuer's"
              + " URL and #)")
  private @Nullable String usernamePrefix;

  @Option(names = "--oidc-groups-claim", description = "claim that holds the user's groups")
  private @Nullable String groupsClaim;

  @Option(names = "--oidc-groups-prefix", description = "before each group")
  private @Nullable String groupsPrefix;

  @Option(
      names = "--oidc-signing-algs",
      split = ",",
      description = "algorithms of signatures that count (default: RS256)")
  private Set<String> algorithms = new LinkedHashSet<>();

  @Option(
      names = "--oidc-required-claim",
      description = "claim=value that a token must have; may be repeated")
  private Map<String, String> requiredClaims = new LinkedHashMap<>();

  /**
   * What the options say.
   *
   * @throws IllegalArgumentException if they contradict each other
   */
  OidcOptions options() {
    if (!areGiven()) {
      return configFile == null ? new OidcOptions.None() : new OidcOptions.ConfigFile(configFile);
    }
    if (configFile != null) {
      throw new IllegalArgumentException(
          "authentication-config file and oidc-* flags are mutually exclusive");
    }
    if (url == null || clientId == null) {
      throw new IllegalArgumentException(
          "oidc-issuer-url and oidc-client-id must be specified together when any oidc-* flags are"
              + " set");
    }
    OidcOptions.Issuer defaults = OidcOptions.Issuer.of(url, clientId);
    return new OidcOptions.Issuer(
        url,
        clientId,
        Optional.ofNullable(caFile),
        or(usernameClaim, defaults.usernameClaim()),
        or(usernamePrefix, defaults.usernamePrefix()),
        or(groupsClaim, defaults.groupsClaim()),
        or(groupsPrefix, defaults.groupsPrefix()),
        algorithms.isEmpty() ? defaults.algorithms() : algorithms,
        requiredClaims);
  }

  private boolean areGiven() {
    return url != null
        || clientId != null
        || caFile != null
        || usernameClaim != null
        || usernamePrefix != null
        || groupsClaim != null
        || groupsPrefix != null
        || !algorithms.isEmpty()
        || !requiredClaims.isEmpty();
  }

  private static String or(@Nullable String given, String otherwise) {
    return given == null ? otherwise : given;
  }
}
