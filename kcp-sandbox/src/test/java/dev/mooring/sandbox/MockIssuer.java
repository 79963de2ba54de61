package dev.mooring.sandbox;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSObject;
import com.nimbusds.jose.Payload;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** An OpenID Connect issuer: its configuration, its keys, and tokens without a login. */
final class MockIssuer implements AutoCloseable {
  static final String AUDIENCE = "the-client";
  private static final int KEY_BITS = 2048;

  private final JsonServer server;
  private volatile RSAKey key = newKey();

  /**
   * @param directory for its certificate
   */
  MockIssuer(Path directory) throws IOException, GeneralSecurityException {
    server =
        new JsonServer(
            directory,
            (path, _) ->
                path.equals("/keys")
                    ? new JWKSet(key.toPublicJWK()).toJSONObject()
                    : Map.of("issuer", url(), "jwks_uri", url() + "/keys"));
  }

  String url() {
    return server.url();
  }

  String authority() {
    return server.authority();
  }

  /** From now on it signs with another key, and knows the old one no more. */
  void rotate() {
    key = newKey();
  }

  /** A {@code jwt} entry: names and groups of its claims {@code email} and {@code groups}. */
  Map<String, Object> entry(String prefix) {
    return Map.of(
        "issuer",
        Map.of("url", url(), "audiences", List.of(AUDIENCE), "certificateAuthority", authority()),
        "claimMappings",
        Map.of(
            "username", Map.of("claim", "email", "prefix", prefix),
            "groups", Map.of("claim", "groups", "prefix", prefix)));
  }

  /** A token that is good for ten minutes. */
  String token(String email, String... groups) {
    return token(Map.of("email", email, "groups", List.of(groups)));
  }

  /**
   * @param claims besides the usual ones, or in place of them
   */
  String token(Map<String, Object> claims) {
    var all = new LinkedHashMap<String, Object>();
    Instant now = Instant.now();
    all.put("iss", url());
    all.put("aud", AUDIENCE);
    all.put("sub", "subject");
    all.put("jti", "token-1");
    all.put("iat", now.getEpochSecond());
    all.put("exp", now.plus(Duration.ofMinutes(10)).getEpochSecond());
    all.putAll(claims);
    return signed(all, key);
  }

  /** As {@link #token}, but signed with a key that the issuer does not publish. */
  String forged(Map<String, Object> claims) {
    RSAKey own = key;
    key = newKey();
    String token = token(claims);
    key = own;
    return token;
  }

  private static String signed(Map<String, Object> claims, RSAKey key) {
    var token =
        new JWSObject(
            new JWSHeader.Builder(JWSAlgorithm.RS256).keyID(key.getKeyID()).build(),
            new Payload(claims));
    try {
      token.sign(new RSASSASigner(key));
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
    return token.serialize();
  }

  private static RSAKey newKey() {
    try {
      return new RSAKeyGenerator(KEY_BITS).keyID(UUID.randomUUID().toString()).generate();
    } catch (JOSEException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    server.close();
  }
}
