package dev.mooring.sandbox.http.exchange;

import dev.mooring.sandbox.api.status.ApiFailure;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * The subprotocols that the client of a WebSocket offers. One may carry a bearer token: browsers
 * send no Authorization header (Kubernetes' apiserver {@code
 * pkg/authentication/request/websocket}).
 *
 * @param others without the one that carries the token
 */
record WebSocketProtocols(Optional<String> token, List<String> others) {
  private static final String TOKEN_PREFIX = "base64url.bearer.authorization.k8s.io.";

  /**
   * @param headers the values of Sec-WebSocket-Protocol
   * @throws ApiFailure 401 for a token that cannot be read, for a second one, and for one without
   *     another subprotocol, which the server could accept
   */
  static WebSocketProtocols of(List<String> headers) {
    var tokens = new ArrayList<String>();
    var others = new ArrayList<String>();
    for (String header : headers) {
      for (String protocol : header.split(",")) {
        String offered = protocol.strip();
        if (offered.startsWith(TOKEN_PREFIX)) {
          tokens.add(decoded(offered.substring(TOKEN_PREFIX.length())));
        } else if (!offered.isEmpty()) {
          others.add(offered);
        }
      }
    }
    Optional<String> token = tokens.stream().findFirst().filter(text -> !text.isEmpty());
    if (tokens.size() > 1 || token.isPresent() && others.isEmpty()) {
      throw ApiFailure.unauthorized();
    }
    return new WebSocketProtocols(token, others);
  }

  private static String decoded(String encoded) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .decode(ByteBuffer.wrap(Base64.getUrlDecoder().decode(encoded)))
          .toString();
    } catch (IllegalArgumentException | CharacterCodingException unreadable) {
      throw ApiFailure.unauthorized();
    }
  }
}
