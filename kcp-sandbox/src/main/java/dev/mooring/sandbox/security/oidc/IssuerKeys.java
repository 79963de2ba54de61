package dev.mooring.sandbox.security.oidc;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.ResourceRetriever;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import dev.mooring.languages.template.text.GoQuotes;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.security.certificate.TrustedAuthorities;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys with which an issuer signs, found by its OpenID configuration when the first token
 * comes, and fetched again when a token names a new one. Answers are bounded in time and size.
 * Thread-safe.
 */
final class IssuerKeys {
  private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);
  private static final int ANSWER_BYTES_MAX = 1024 * 1024;

  /** Between two fetches, for any number of unknown keys. */
  private static final Duration FETCH_INTERVAL = Duration.ofSeconds(1);

  private static final Duration CACHED = Duration.ofMinutes(5);
  private static final String WELL_KNOWN = "/.well-known/openid-configuration";

  private final JwtSettings.Issuer issuer;
  private final Set<JWSAlgorithm> algorithms;
  private final InstantSource clock;
  private volatile @Nullable DefaultJWTProcessor<SecurityContext> verifier;
  private Instant nextDiscovery = Instant.MIN;

  IssuerKeys(JwtSettings.Issuer issuer, Set<JWSAlgorithm> algorithms, InstantSource clock) {
    this.issuer = issuer;
    this.algorithms = Set.copyOf(algorithms);
    this.clock = clock;
  }

  /** Returns if the issuer has signed the token. */
  void requireSigned(SignedJWT token) throws TokenRefused {
    JWSAlgorithm algorithm = token.getHeader().getAlgorithm();
    if (!algorithms.contains(algorithm)) {
      throw new TokenRefused(
          "oidc: verify token: oidc: id token signed with unsupported algorithm, expected %s got %s"
              .formatted(
                  algorithms.stream().map(JWSAlgorithm::getName).sorted().toList(),
                  GoQuotes.quote(algorithm.getName())));
    }
    try {
      verifier().process(token, null);
    } catch (BadJOSEException | JOSEException e) {
      throw new TokenRefused(
          "oidc: verify token: failed to verify signature: failed to verify id token signature: "
              + e.getMessage());
    }
  }

  private DefaultJWTProcessor<SecurityContext> verifier() throws TokenRefused {
    DefaultJWTProcessor<SecurityContext> known = verifier;
    return known == null ? discovered() : known;
  }

  private synchronized DefaultJWTProcessor<SecurityContext> discovered() throws TokenRefused {
    if (verifier != null) {
      return verifier;
    }
    if (clock.instant().isBefore(nextDiscovery)) {
      throw new TokenRefused("oidc: authenticator not initialized");
    }
    try {
      verifier = verifier(discover());
      return verifier;
    } catch (IOException | MalformedJson | IllegalArgumentException e) {
      nextDiscovery = clock.instant().plus(FETCH_INTERVAL);
      LOG.warn("The OpenID configuration of {} cannot be read: {}", issuer.url(), e.getMessage());
      throw new TokenRefused("oidc: authenticator not initialized");
    }
  }

  private DefaultJWTProcessor<SecurityContext> verifier(URL keys) {
    JWKSource<SecurityContext> source =
        JWKSourceBuilder.create(keys, retriever())
            .cache(CACHED.toMillis(), TIMEOUT.multipliedBy(2).toMillis())
            .refreshAheadCache(false)
            .rateLimited(FETCH_INTERVAL.toMillis())
            .outageTolerantForever()
            .build();
    var processor = new DefaultJWTProcessor<SecurityContext>();
    processor.setJWSTypeVerifier((_, _) -> {});
    processor.setJWTClaimsSetVerifier((_, _) -> {});
    processor.setJWSKeySelector(new JWSVerificationKeySelector<>(algorithms, source));
    return processor;
  }

  /** Where the keys are. */
  private URL discover() throws IOException {
    String url =
        issuer.discoveryUrl().isEmpty()
            ? issuer.url().replaceAll("/$", "") + WELL_KNOWN
            : issuer.discoveryUrl();
    KubeObject configuration =
        KubeJson.readObject(retriever().retrieveResource(URI.create(url).toURL()).getContent());
    if (!configuration.text("issuer").equals(issuer.url())) {
      throw new IOException(
          "oidc: issuer URL provided to client (%s) did not match the issuer URL returned by provider (%s)"
              .formatted(
                  GoQuotes.quote(issuer.url()), GoQuotes.quote(configuration.text("issuer"))));
    }
    URI keys = URI.create(configuration.text("jwks_uri"));
    if (!"https".equals(keys.getScheme())) {
      throw new IOException("its jwks_uri is " + keys + ", not an https URL");
    }
    return keys.toURL();
  }

  private ResourceRetriever retriever() {
    SSLSocketFactory sockets =
        issuer.certificateAuthority().isEmpty()
            ? HttpsURLConnection.getDefaultSSLSocketFactory()
            : TrustedAuthorities.context(issuer.certificateAuthority()).getSocketFactory();
    int millis = Math.toIntExact(TIMEOUT.toMillis());
    return new DefaultResourceRetriever(millis, millis, ANSWER_BYTES_MAX, true, sockets);
  }
}
