package dev.mooring.sandbox.security.token;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.Signature;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
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
  private static final String HEADER = encode(Map.of("alg", "ES256"));
  // Longer ones are not ours; refuse them before decoding.
  private static final int TOKEN_LENGTH_MAX = 8 * 1024;

  private final KeyPair keys;
  private final String issuer;

  /**
   * @param keys on the curve P-256
   * @param issuer such as {@code https://kcp.default.svc}; also the default audience
   */
  public ServiceAccountTokens(KeyPair keys, String issuer) {
    this.keys = keys;
    this.issuer = issuer;
  }

  public String issuer() {
    return issuer;
  }

  public String sign(ServiceAccountClaims claims, Instant now) {
    String body =
        HEADER + "." + encode(claims.secretName().isEmpty() ? bound(claims, now) : legacy(claims));
    try {
      Signature signature = Signature.getInstance(ALGORITHM);
      signature.initSign(keys.getPrivate());
      signature.update(body.getBytes(StandardCharsets.US_ASCII));
      return body + "." + Base64.getUrlEncoder().withoutPadding().encodeToString(signature.sign());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("this JDK cannot sign with ES256", e);
    }
  }

  /** What a token says; empty if it is not one of ours, was changed, or has expired. */
  public Optional<ServiceAccountClaims> read(String token, Instant now) {
    String[] parts = token.length() > TOKEN_LENGTH_MAX ? new String[0] : token.split("\\.", -1);
    if (parts.length != 3 || !signed(parts[0] + "." + parts[1], parts[2])) {
      return Optional.empty();
    }
    try {
      KubeObject claims = KubeJson.readObject(Base64.getUrlDecoder().decode(parts[1]));
      return claims.text("iss").equals(LEGACY_ISSUER)
          ? Optional.of(readLegacy(claims))
          : readBound(claims, now);
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

  private Map<String, Object> bound(ServiceAccountClaims claims, Instant now) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("aud", claims.audiences());
    claims.expiry().ifPresent(expiry -> tree.put("exp", expiry.getEpochSecond()));
    tree.put("iat", now.getEpochSecond());
    tree.put("iss", issuer);
    tree.put("jti", claims.id());
    var kubernetes = new LinkedHashMap<String, Object>();
    kubernetes.put(CLUSTER, claims.cluster().name());
    kubernetes.put("namespace", claims.namespace());
    kubernetes.put("serviceaccount", Map.of("name", claims.name(), "uid", claims.uid()));
    tree.put("kubernetes.io", kubernetes);
    tree.put("nbf", now.getEpochSecond());
    tree.put("sub", claims.user().name());
    return tree;
  }

  private static Map<String, Object> legacy(ServiceAccountClaims claims) {
    var tree = new LinkedHashMap<String, Object>();
    tree.put("iss", LEGACY_ISSUER);
    tree.put(LEGACY + CLUSTER, claims.cluster().name());
    tree.put(LEGACY + "namespace", claims.namespace());
    tree.put(LEGACY + "secret.name", claims.secretName());
    tree.put(LEGACY + "service-account.name", claims.name());
    tree.put(LEGACY + "service-account.uid", claims.uid());
    tree.put("sub", claims.user().name());
    return tree;
  }

  private Optional<ServiceAccountClaims> readBound(KubeObject claims, Instant now) {
    if (!claims.text("iss").equals(issuer) || !(claims.at("exp") instanceof Long expiry)) {
      return Optional.empty();
    }
    Instant end = Instant.ofEpochSecond(expiry);
    if (!now.isBefore(end)) {
      return Optional.empty();
    }
    return Optional.of(
        new ServiceAccountClaims(
            new LogicalCluster(claims.text("kubernetes.io", CLUSTER)),
            claims.text("kubernetes.io", "namespace"),
            claims.text("kubernetes.io", "serviceaccount", "name"),
            claims.text("kubernetes.io", "serviceaccount", "uid"),
            "",
            claims.text("jti"),
            Trees.texts(claims.at("aud")),
            Optional.of(end)));
  }

  private static ServiceAccountClaims readLegacy(KubeObject claims) {
    return new ServiceAccountClaims(
        new LogicalCluster(claims.text(LEGACY + CLUSTER)),
        claims.text(LEGACY + "namespace"),
        claims.text(LEGACY + "service-account.name"),
        claims.text(LEGACY + "service-account.uid"),
        claims.text(LEGACY + "secret.name"),
        "",
        List.of(),
        Optional.empty());
  }

  private static String encode(Map<String, Object> tree) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(KubeJson.write(tree));
  }
}
