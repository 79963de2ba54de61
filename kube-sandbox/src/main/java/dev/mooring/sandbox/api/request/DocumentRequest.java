package dev.mooring.sandbox.api.request;

import java.util.List;
import java.util.Optional;

/**
 * A request for something that is no object: discovery, version, OpenAPI.
 *
 * @param method such as {@code GET}
 * @param view empty for a bare path without a logical cluster
 * @param segments of the path behind the view's prefix, decoded, such as {@code [apis, a.io, v1]}
 * @param accept the Accept header as it came; may be empty
 * @param ifNoneMatch the header as it came; may be empty
 */
public record DocumentRequest(
    String method,
    Optional<ApiView> view,
    List<String> segments,
    String accept,
    String ifNoneMatch) {
  public DocumentRequest {
    segments = List.copyOf(segments);
  }
}
