package dev.mooring.sandbox.security.token;

import com.google.common.hash.Hashing;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.security.token.ServiceAccountClaims.Origin;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;

/**
 * Signs and reads the JSON web tokens of service accounts (ES256), with the claims of Kubernetes:
 * those of TokenRequests under {@code kubernetes.io}, those in Secrets as {@code
 * kubernetes.io/serviceaccount/...}. Thread-safe.
 */
public final class ServiceAccountTokens {
  private static final String ALGORITHM = "SHA256withECDSAinP1363Format";
  private static final String LEGACY_ISSUER = "kubernetes/serviceaccount";
  private static final String LEGACY = "kubernetes.io/serviceaccount/";
  private static final String CLUSTER = "clusterName";
  private static final String SECRET = "secret";
  // Longer ones are not ours; refuse them before decoding.
  private static final int TOKEN_LENGTH_MAX = 8 * 1024;

  private final KeyPair keys;
  private final String header;
  private final String issuer;

  /**
   * @param keys on the curve P-256
   * @param issuer such as {@code https://kcp.default.svc}; also the default audience
   */
  public ServiceAccountTokens(KeyPair keys, String issuer) {
    this.keys = keys;
    this.header = encode(Trees.ordered("alg", "ES256", "kid", keyId()));
    this.issuer = issuer;
  }

  /** The key is named as in Kubernetes, by the hash of its public part. */
  private String keyId() {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(Hashing.sha256().hashBytes(keys.getPublic().getEncoded()).asBytes());
  }

  public String issuer() {
    return issuer;
  }

  public String sign(ServiceAccountClaims claims, Instant now) {
    String body =
        header
            + "."
            + encode(
                switch (claims.origin()) {
                  case Origin.Kept kept -> kept(claims, kept);
                  case Origin.Requested requested -> requested(claims, requested, now);
                });
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(keys.getPrivate());
      signature.update(body.getBytes(StandardCharsets.US_ASCII));
      return body + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK cannot sign with ES256", e);
    }
  }

  /** What a token says, expired or not; empty if it is not one of ours or was changed. */
  public Optional<ServiceAccountClaims> read(String token) {
    String[] parts = parts(token);
    return payload(parts)
        .filter(_ -> signed(parts[0] + "." + parts[1], parts[2]))
        .flatMap(claims ->
            claims.text("iss").equals(LEGACY_ISSUER)
                ? Optional.of(readKept(claims))
                : readRequested(claims));
  }

  private static String[] parts(String token) {
    return token.length() > TOKEN_LENGTH_MAX ? new String[0] : token.split("\\.", -1);
  }

  private static Optional<KubeObject> payload(String[] parts) {
    if (parts.length != 3) {
      return Optional.empty();
    }
    try {
      return Optional.of(KubeJson.readObject(Base64.getUrlDecoder().decode(parts[1])));
    } catch (MalformedJson | IllegalArgumentException notOurs) {
      return Optional.empty();
    }
  }

  private boolean signed(String body, String signatureText) {
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initVerify(keys.getPublic());
      signature.update(body.getBytes(StandardCharsets.US_ASCII));
      return signature.verify(Base64.getUrlDecoder().decode(signatureText));
    } catch (GeneralSecurityException | IllegalArgumentException notASignature) {
      return false;
    }
  }

  private Map<String, Object> requested(
      ServiceAccountClaims claims, Origin.Requested requested, Instant now) {
    return Trees.ordered(
        "aud", requested.audiences(),
        "exp", requested.expiry().getEpochSecond(),
        "iat", now.getEpochSecond(),
        "iss", issuer,
        "jti", requested.id(),
        "kubernetes.io",
            Trees.orderedNonEmpty(
                CLUSTER,
                claims.cluster().name(),
                "namespace",
                claims.namespace(),
                SECRET,
                requested
                    .secret()
                    .map(secret -> reference(secret.name(), secret.uid()))
                    .orElse(Map.of()),
                "serviceaccount",
                reference(claims.name(), claims.uid())),
        "nbf", now.getEpochSecond(),
        "sub", claims.user().name());
  }

  private static Map<String, Object> reference(String name, String uid) {
    return Map.of("name", name, "uid", uid);
  }

  private static Map<String, Object> kept(ServiceAccountClaims claims, Origin.Kept kept) {
    return Trees.ordered(
        "iss",
        LEGACY_ISSUER,
        LEGACY + CLUSTER,
        claims.cluster().name(),
        LEGACY + "namespace",
        claims.namespace(),
        LEGACY + "secret.name",
        kept.secretName(),
        LEGACY + "service-account.name",
        claims.name(),
        LEGACY + "service-account.uid",
        claims.uid(),
        "sub",
        claims.user().name());
  }

  private Optional<ServiceAccountClaims> readRequested(KubeObject claims) {
    if (!claims.text("iss").equals(issuer) || !(claims.at("exp") instanceof Long expiry)) {
      return Optional.empty();
    }
    Optional<ServiceAccountClaims.Reference> secret =
        Optional.ofNullable(claims.at("kubernetes.io", SECRET))
            .map(tree ->
                new ServiceAccountClaims.Reference(
                    Trees.text(tree, "name"), Trees.text(tree, "uid")));
    return Optional.of(
        new ServiceAccountClaims(
            new LogicalCluster(claims.text("kubernetes.io", CLUSTER)),
            claims.text("kubernetes.io", "namespace"),
            claims.text("kubernetes.io", "serviceaccount", "name"),
            claims.text("kubernetes.io", "serviceaccount", "uid"),
            new Origin.Requested(
                claims.text("jti"),
                Trees.texts(claims.at("aud")),
                Instant.ofEpochSecond(expiry),
                secret)));
  }

  private static ServiceAccountClaims readKept(KubeObject claims) {
    return new ServiceAccountClaims(
        new LogicalCluster(claims.text(LEGACY + CLUSTER)),
        claims.text(LEGACY + "namespace"),
        claims.text(LEGACY + "service-account.name"),
        claims.text(LEGACY + "service-account.uid"),
        new Origin.Kept(claims.text(LEGACY + "secret.name")));
  }

  private static String encode(Map<String, Object> tree) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(KubeJson.write(tree));
  }
}
