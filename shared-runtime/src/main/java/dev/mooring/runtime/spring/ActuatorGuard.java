package dev.mooring.runtime.spring;

import dev.mooring.model.json.KubeJson;
import dev.mooring.runtime.access.Access;
import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.KubeFailure;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets only those reach the endpoints that tell of users' objects, or act on them, whom the cluster
 * permits: a bearer token whose owner may {@code get} or {@code post} the URL. Health, metrics and
 * info stay open: the NetworkPolicy keeps strangers from them.
 *
 * <p>A bean of this type is enough; {@link ActuatorGuardConfiguration} puts it before the
 * management endpoints, on whatever port they are. Without one they are open, for local use.
 */
public final class ActuatorGuard extends HttpFilter {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(ActuatorGuard.class);
  private static final Set<String> GUARDED = Set.of("status", "resync", "blockers");

  private final transient AccessReviewer reviewer;

  public ActuatorGuard(AccessReviewer reviewer) {
    this.reviewer = reviewer;
  }

  @Override
  protected void doFilter(HttpServletRequest request, HttpServletResponse answer, FilterChain chain)
      throws IOException, ServletException {
    String path = path(request);
    if (!guarded(path) || admitted(request, answer, path)) {
      chain.doFilter(request, answer);
    }
  }

  private boolean admitted(HttpServletRequest request, HttpServletResponse answer, String path)
      throws IOException {
    String token = bearerToken(request);
    if (token.isEmpty()) {
      answer.setHeader("WWW-Authenticate", "Bearer");
      refuse(answer, 401, "send a bearer token of the cluster: Authorization: Bearer <token>");
      return false;
    }
    String verb = request.getMethod().toLowerCase(Locale.ROOT);
    try {
      return switch (reviewer.review(token, path, verb)) {
        case Access.Granted _ -> true;
        case Access.Unauthenticated() -> {
          answer.setHeader("WWW-Authenticate", "Bearer error=\"invalid_token\"");
          refuse(answer, 401, "the cluster does not know this token");
          yield false;
        }
        case Access.Denied(var caller) -> {
          refuse(
              answer,
              403,
              caller.username() + " needs permission to " + verb + " the nonResourceURL " + path);
          yield false;
        }
      };
    } catch (KubeFailure e) {
      LOG.warn("Cannot ask who may {} {}: {}", verb, path, e.getMessage());
      refuse(answer, 503, "the cluster cannot be asked whether this is permitted; try again");
      return false;
    }
  }

  /** As the container decoded it to find the endpoint: no parameters, no escapes. */
  private static String path(HttpServletRequest request) {
    String info = request.getPathInfo();
    return request.getServletPath() + (info == null ? "" : info);
  }

  private static boolean guarded(String path) {
    for (String segment : path.split("/")) {
      if (GUARDED.contains(segment)) {
        return true;
      }
    }
    return false;
  }

  private static String bearerToken(HttpServletRequest request) {
    String header = request.getHeader("Authorization");
    return header != null && header.regionMatches(true, 0, "Bearer ", 0, 7)
        ? header.substring(7).strip()
        : "";
  }

  private static void refuse(HttpServletResponse answer, int code, String why) throws IOException {
    answer.setStatus(code);
    answer.setContentType("application/json");
    answer.getOutputStream().write(KubeJson.write(Map.of("error", why)));
  }
}
