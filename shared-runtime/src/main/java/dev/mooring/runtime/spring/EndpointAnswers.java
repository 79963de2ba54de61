package dev.mooring.runtime.spring;

import java.util.Map;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** Answers other than 200 that all services' endpoints share. */
public final class EndpointAnswers {
  private static final int ACCEPTED = 202;

  private EndpointAnswers() {}

  /**
   * 202: it will be looked at again soon.
   *
   * @param item {@code all}, or what the caller named
   */
  public static WebEndpointResponse<Map<String, Object>> accepted(String item) {
    return new WebEndpointResponse<>(Map.of("resync", item), ACCEPTED);
  }

  /** 404. */
  public static WebEndpointResponse<Map<String, Object>> notFound(String message) {
    return message(message, WebEndpointResponse.STATUS_NOT_FOUND);
  }

  /** 400. */
  public static WebEndpointResponse<Map<String, Object>> badRequest(String message) {
    return message(message, WebEndpointResponse.STATUS_BAD_REQUEST);
  }

  /** 503: the same request may succeed later. */
  public static WebEndpointResponse<Map<String, Object>> unavailable(String message) {
    return message(message, WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
  }

  private static WebEndpointResponse<Map<String, Object>> message(String message, int status) {
    return new WebEndpointResponse<>(Map.of("message", message), status);
  }
}
