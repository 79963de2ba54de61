package dev.mooring.sandbox.security.token;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.KeyUse;
import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.request.DocumentRequest;
import dev.mooring.sandbox.api.request.DocumentResponse;
import dev.mooring.sandbox.api.request.DocumentSource;
import dev.mooring.sandbox.api.status.ApiFailure;
import java.security.interfaces.ECPublicKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Lets others verify tokens of service accounts: the issuer's OpenID configuration, and its key.
 * Thread-safe.
 *
 * @param address host and port under which clients reach the server
 */
public record IssuerDocuments(ServiceAccountTokens tokens, String address)
    implements DocumentSource {
  private static final String KEYS_PATH = "/openid/v1/jwks";
  private static final Map<String, String> HEADERS =
      Map.of("Cache-Control", "public, max-age=3600");

  @Override
  public Optional<DocumentResponse> answer(DocumentRequest request) {
    return switch ("/" + String.join("/", request.segments())) {
      case "/.well-known/openid-configuration" ->
          Optional.of(response(request, "application/json", configuration()));
      case KEYS_PATH ->
          Optional.of(
              response(request, "application/jwk-set+json", Map.of("keys", List.of(key()))));
      default -> Optional.empty();
    };
  }

  private static DocumentResponse response(
      DocumentRequest request, String mediaType, Map<String, Object> tree) {
    if (!request.method().equals("GET")) {
      throw ApiFailure.methodNotAllowed();
    }
    boolean accepted =
        request.accept().isEmpty()
            || Arrays.stream(request.accept().split(","))
                .map(type -> type.replaceFirst(";.*", "").strip())
                .anyMatch(type -> type.equals("*/*") || type.equals(mediaType));
    if (!accepted) {
      throw ApiFailure.of(
          406,
          "NotAcceptable",
          "406: Not Acceptable\n\nAvailable representations: " + mediaType,
          Map.of());
    }
    return new DocumentResponse(200, mediaType, HEADERS, KubeJson.write(tree));
  }

  private Map<String, Object> configuration() {
    return Trees.ordered(
        "issuer", tokens.issuer(),
        "jwks_uri", "https://" + address + KEYS_PATH,
        "response_types_supported", List.of("id_token"),
        "subject_types_supported", List.of("public"),
        "id_token_signing_alg_values_supported", List.of(JWSAlgorithm.ES256.getName()));
  }

  private Map<String, Object> key() {
    return new ECKey.Builder(Curve.P_256, (ECPublicKey) tokens.publicKey())
        .keyUse(KeyUse.SIGNATURE)
        .algorithm(JWSAlgorithm.ES256)
        .keyID(tokens.keyId())
        .build()
        .toJSONObject();
  }
}
