package dev.mooring.runtime.spring;

import dev.mooring.runtime.spring.EndpointGuard.Refusal;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.util.Optional;
import java.util.regex.Pattern;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvoker;
import org.springframework.boot.actuate.endpoint.invoke.OperationInvokerAdvisor;
import org.springframework.boot.actuate.endpoint.invoke.OperationParameters;
import org.springframework.web.context.request.RequestContextHolder;
import org.springframework.web.context.request.ServletRequestAttributes;

/**
 * Guards management endpoints that ask for no token against pages of other sites in the browser of
 * a user who reaches them: those may neither write, nor read by a DNS name that they own and that
 * leads here.
 */
final class BrowserGuard implements OperationInvokerAdvisor {
  private static final int FORBIDDEN = 403;

  /** Addresses, and names that public DNS does not have; with or without a port. */
  private static final Pattern LOCAL_HOST =
      Pattern.compile(
          "(\\[[0-9a-f:.]+]|[0-9.]+|[a-z0-9-]+|.*\\.(localhost|svc|svc\\.cluster\\.local))(:\\d+)?",
          Pattern.CASE_INSENSITIVE);

  @Override
  public OperationInvoker apply(
      EndpointId endpoint,
      OperationType operation,
      OperationParameters parameters,
      OperationInvoker invoker) {
    if (EndpointGuard.OPEN.contains(endpoint.toLowerCaseString())) {
      return invoker;
    }
    return context ->
        RequestContextHolder.getRequestAttributes() instanceof ServletRequestAttributes http
            ? refusal(http.getRequest(), operation)
                .<Object>map(EndpointGuard::answer)
                .orElseGet(() -> invoker.invoke(context))
            : invoker.invoke(context);
  }

  static Optional<Refusal> refusal(HttpServletRequest request, OperationType operation) {
    String host = request.getHeader("Host");
    if (host != null && !LOCAL_HOST.matcher(host).matches()) {
      return refused(
          "header Host is "
              + host
              + ", and without endpoint-auth only addresses, localhost and names of Services are"
              + " served");
    }
    return operation != OperationType.READ && isCrossSite(request)
        ? refused("the request comes from a page of another site")
        : Optional.empty();
  }

  private static Optional<Refusal> refused(String message) {
    return Optional.of(new Refusal(FORBIDDEN, "", message));
  }

  /** Browsers send one of the two headers with every write; other clients send neither. */
  static boolean isCrossSite(HttpServletRequest request) {
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
}
