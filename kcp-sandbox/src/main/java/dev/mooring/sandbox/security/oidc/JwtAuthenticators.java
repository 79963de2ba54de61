package dev.mooring.sandbox.security.oidc;

import com.nimbusds.jose.JWSAlgorithm;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Users of several issuers. Thread-safe. */
public final class JwtAuthenticators {
  public static final JwtAuthenticators NONE = new JwtAuthenticators(List.of());

  private final List<JwtAuthenticator> authenticators;

  private JwtAuthenticators(List<JwtAuthenticator> authenticators) {
    this.authenticators = authenticators;
  }

  /**
   * Which signatures and issuers count.
   *
   * @param algorithms such as {@code RS256}
   * @param disallowed URLs that no issuer may have
   */
  public record Terms(Set<String> algorithms, Set<String> disallowed, InstantSource clock) {
    /** What Kubernetes knows. */
    public static final Set<String> ALGORITHMS =
        Set.of("RS256", "RS384", "RS512", "ES256", "ES384", "ES512", "PS256", "PS384", "PS512");

    public Terms {
      algorithms = Set.copyOf(algorithms);
      disallowed = Set.copyOf(disallowed);
    }
  }

  /**
   * The issuers of a configuration. None of them is asked for anything before the first token
   * comes.
   *
   * @param entries such as the {@code jwt} of an AuthenticationConfiguration
   * @param field of the entries, such as {@code jwt}
   * @throws IllegalArgumentException that names all that is wrong
   */
  public static JwtAuthenticators of(List<Object> entries, String field, Terms terms) {
    Set<JWSAlgorithm> algorithms =
        terms.algorithms().stream().map(JWSAlgorithm::parse).collect(Collectors.toSet());
    return new JwtAuthenticators(
        new JwtSettingsReader(terms.disallowed())
            .read(entries, field).stream()
                .map(settings -> new JwtAuthenticator(settings, algorithms, terms.clock()))
                .toList());
  }

  /** Whose token it is. May wait for the issuer some seconds. */
  public JwtOutcome authenticate(String token) {
    if (authenticators.isEmpty()) {
      return new JwtOutcome.Foreign();
    }
    String issuer = unverifiedIssuer(token);
    return authenticators.stream()
        .filter(authenticator -> authenticator.issuer().equals(issuer))
        .findFirst()
        .map(authenticator -> authenticator.authenticate(token))
        .orElseGet(JwtOutcome.Foreign::new);
  }

  /** Empty if the token is no JWT, or names none. */
  private static String unverifiedIssuer(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3) {
      return "";
    }
    try {
      String issuer = KubeJson.readObject(Base64.getUrlDecoder().decode(parts[1])).text("iss");
      return issuer.equals("accounts.google.com") ? "https://accounts.google.com" : issuer;
    } catch (MalformedJson | IllegalArgumentException notOne) {
      return "";
    }
  }
}
