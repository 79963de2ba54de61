package dev.mooring.runtime.spring;

import dev.mooring.runtime.access.Access;
import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.KubeFailure;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.InvocationContext;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameter;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Guards every operation of every management endpoint except health, info and prometheus: the
 * caller's bearer token must belong to a user whom the cluster permits to {@code get} or {@code
 * post} the nonResourceURL {@code /actuator/<endpoint>[/<selector>…]}.
 *
 * <p>It wraps the operation that Spring is about to call, so neither the way a URL is written, nor
 * the port, nor the base path has a part in the decision. An operation that is called by anything
 * but an HTTP request is refused.
 */
final class EndpointGuard implements OperationInvokerAdvisor {
  private static final Logger LOG = LoggerFactory.getLogger(EndpointGuard.class);

  /** Probes and scrapers have no tokens; a NetworkPolicy keeps strangers away. */
  static final Set<String> OPEN = Set.of("health", "info", "prometheus");

  private static final String SCHEME = "Bearer ";
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private final AccessReviewer reviewer;

  EndpointGuard(AccessReviewer reviewer) {
    this.reviewer = reviewer;
  }

  /** Why a request is refused; the challenge, if not empty, is header WWW-Authenticate. */
  record Refusal(int status, String challenge, String message) {}

  @Override
  public OperationInvoker apply(
      EndpointId endpoint,
      OperationType operation,
      OperationParameters parameters,
      OperationInvoker invoker) {
    if (OPEN.contains(endpoint.toLowerCaseString())) {
      return invoker;
    }
    String verb =
        switch (operation) {
          case READ -> "get";
          case WRITE -> "post";
          case DELETE -> "delete";
        };
    List<String> selectors =
        parameters.stream()
            .filter(parameter -> parameter.getAnnotation(Selector.class) != null)
            .map(OperationParameter::getName)
            .toList();
    return context -> {
      Optional<Refusal> refusal =
          refusal(authorization(), path(endpoint, selectors, context), verb);
      return refusal.isPresent() ? answer(refusal.get()) : invoker.invoke(context);
    };
  }

  /**
   * @param authorization the request's header; empty if it has none
   */
  Optional<Refusal> refusal(String authorization, String path, String verb) {
    String token =
        authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
            ? authorization.substring(SCHEME.length()).strip()
            : "";
    if (token.isEmpty()) {
      return Optional.of(
          new Refusal(
              UNAUTHORIZED,
              "Bearer",
              "send a bearer token of the cluster: Authorization: Bearer <token>"));
    }
    try {
      return switch (reviewer.review(token, path, verb)) {
        case Access.Granted _ -> Optional.empty();
        case Access.Unauthenticated() ->
            Optional.of(
                new Refusal(
                    UNAUTHORIZED,
                    "Bearer error=\"invalid_token\"",
                    "the cluster does not know this token"));
        case Access.Denied(var caller) ->
            Optional.of(
                new Refusal(
                    FORBIDDEN,
                    "",
                    caller.username()
                        + " needs permission to "
                        + verb
                        + " the nonResourceURL "
                        + path));
      };
    } catch (KubeFailure e) {
      LOG.warn("Access review failed for {} {}: {}", verb, path, e.getMessage());
      return Optional.of(
          new Refusal(
              WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
              "",
              "the cluster cannot be asked whether this is permitted; try again"));
    }
  }

  private static String path(
      EndpointId endpoint, List<String> selectors, InvocationContext context) {
    var path = new StringBuilder("/actuator/").append(endpoint);
    selectors.stream()
        .map(context.getArguments()::get)
        .flatMap(value -> value instanceof Object[] many ? Arrays.stream(many) : Stream.of(value))
        .forEach(value -> path.append('/').append(value));
    return path.toString();
  }

  private static String authorization() {
    if (RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes http) {
      String header = http.getRequest().getHeader("Authorization");
      return header == null ? "" : header;
    }
    return "";
  }

  static WebEndpointResponse<Map<String, Object>> answer(Refusal refusal) {
    if (!refusal.challenge().isEmpty()
        && RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes http
        && http.getResponse() != null) {
      http.getResponse().setHeader("WWW-Authenticate", refusal.challenge());
    }
    return new WebEndpointResponse<>(Map.of("message", refusal.message()), refusal.status());
  }
}
