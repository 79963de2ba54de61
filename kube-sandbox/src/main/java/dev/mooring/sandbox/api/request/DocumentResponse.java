package dev.mooring.sandbox.api.request;

import dev.mooring.model.json.KubeJson;
import java.util.Map;

/**
 * An answer that is no object.
 *
 * @param headers in addition to Content-Type
 */
public record DocumentResponse(
    int status, String contentType, Map<String, String> headers, byte[] body) {
  public DocumentResponse {
    headers = Map.copyOf(headers);
  }

  /** 200 with a tree as JSON. */
  public static DocumentResponse json(Object tree) {
    return new DocumentResponse(200, "application/json", Map.of(), KubeJson.write(tree));
  }
}
