package dev.mooring.runtime.spring;

import dev.mooring.runtime.access.Access;
import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.KubeFailure;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
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
 * post} the nonResourceURL {@code /actuator/<endpoint>[/<selector>…]}. It wraps the operation that
 * Spring is about to call, so the decision does not depend on how a URL is written.
 *
 * <p>Without a reviewer endpoints are open, for local use, except to pages of other sites in the
 * browser of a user who reaches them: those may neither write, nor read by a DNS name that they own
 * and that leads here.
 */
public final class EndpointGuard implements OperationInvokerAdvisor {
  private static final Logger LOG = LoggerFactory.getLogger(EndpointGuard.class);

  /** Probes and scrapers have no tokens; a NetworkPolicy keeps strangers away. */
  private static final Set<String> OPEN = Set.of("health", "info", "prometheus");

  /** Addresses, and names that public DNS does not have; with or without a port. */
  private static final Pattern LOCAL_HOST =
      Pattern.compile(
          "(\\[[0-9a-f:.]+]|[0-9.]+|[a-z0-9-]+|.*\\.(localhost|svc|svc\\.cluster\\.local))(:\\d+)?",
          Pattern.CASE_INSENSITIVE);

  private static final String SCHEME = "Bearer ";
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;

  private final Optional<AccessReviewer> reviewer;

  /**
   * @param reviewer empty if endpoints ask for no token
   */
  EndpointGuard(Optional<AccessReviewer> reviewer) {
    this.reviewer = reviewer;
  }

  /** Why a request is refused; the challenge, if not empty, is header WWW-Authenticate. */
  public record Refusal(int status, String challenge, String message) {}

  public boolean asksForTokens() {
    return reviewer.isPresent();
  }

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
      Optional<HttpServletRequest> request = request();
      String authorization = request.map(http -> http.getHeader("Authorization")).orElse("");
      return refusal(request, authorization, path(endpoint, selectors, context), verb)
          .<Object>map(EndpointGuard::answer)
          .orElseGet(() -> invoker.invoke(context));
    };
  }

  /**
   * By the token if tokens are asked for, otherwise by what a browser says of the page it shows.
   *
   * @param request empty if no HTTP request calls the operation
   * @param authorization the request's header, or what stands for it; empty if there is none
   */
  public Optional<Refusal> refusal(
      Optional<HttpServletRequest> request, String authorization, String path, String verb) {
    if (reviewer.isEmpty()) {
      return request.flatMap(http -> browserRefusal(http, verb));
    }
    String token =
        authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())
            ? authorization.substring(SCHEME.length()).strip()
            : "";
    if (token.isEmpty()) {
      return refused(
          UNAUTHORIZED,
          "Bearer",
          "send a bearer token of the cluster: Authorization: Bearer <token>");
    }
    try {
      return switch (reviewer.get().review(token, path, verb)) {
        case Access.Granted _ -> Optional.empty();
        case Access.Unauthenticated() ->
            refused(
                UNAUTHORIZED,
                "Bearer error=\"invalid_token\"",
                "the cluster does not know this token");
        case Access.Denied(var caller) ->
            refused(
                FORBIDDEN,
                "",
                "%s needs permission to %s the nonResourceURL %s"
                    .formatted(caller.username(), verb, path));
      };
    } catch (KubeFailure e) {
      LOG.warn("Access review failed for {} {}: {}", verb, path, e.getMessage());
      return refused(
          WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE,
          "",
          "the cluster cannot be asked whether this is permitted; try again");
    }
  }

  private static Optional<Refusal> refused(int status, String challenge, String message) {
    return Optional.of(new Refusal(status, challenge, message));
  }

  private static Optional<Refusal> browserRefusal(HttpServletRequest request, String verb) {
    String host = request.getHeader("Host");
    if (host != null && !LOCAL_HOST.matcher(host).matches()) {
      return refused(
          FORBIDDEN,
          "",
          ("header Host is %s, and without endpoint-auth only addresses, localhost and names of"
                  + " Services are served")
              .formatted(host));
    }
    return !verb.equals("get") && isCrossSite(request)
        ? refused(FORBIDDEN, "", "the request comes from a page of another site")
        : Optional.empty();
  }

  /** Browsers send one of the two headers with every write; other clients send neither. */
  public static boolean isCrossSite(HttpServletRequest request) {
    String site = request.getHeader("Sec-Fetch-Site");
    String origin = request.getHeader("Origin");
    if (site != null || origin == null) {
      return site != null && !site.equals("same-origin");
    }
    try {
      return !String.valueOf(URI.create(origin).getAuthority())
          .equalsIgnoreCase(request.getHeader("Host"));
    } catch (IllegalArgumentException e) {
      return true;
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

  private static Optional<HttpServletRequest> request() {
    return RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes http
        ? Optional.of(http.getRequest())
        : Optional.empty();
  }

  private static WebEndpointResponse<Map<String, Object>> answer(Refusal refusal) {
    if (!refusal.challenge().isEmpty()
        && RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes http
        && http.getResponse() != null) {
      http.getResponse().setHeader("WWW-Authenticate", refusal.challenge());
    }
    return new WebEndpointResponse<>(Map.of("message", refusal.message()), refusal.status());
  }
}
