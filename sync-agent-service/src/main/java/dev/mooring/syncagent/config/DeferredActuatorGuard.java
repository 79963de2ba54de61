package dev.mooring.syncagent.config;

import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.spring.ActuatorGuard;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.syncagent.agent.SyncAgent;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpFilter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;

/**
 * {@link ActuatorGuard}, asking the service cluster, which may not be known yet when the
 * application starts: until then only health, metrics and info answer.
 */
final class DeferredActuatorGuard extends HttpFilter {
  private static final long serialVersionUID = 1L;

  private final transient SyncAgent agent;
  private transient volatile Guarded guarded;

  DeferredActuatorGuard(SyncAgent agent) {
    this.agent = agent;
  }

  @Override
  protected void doFilter(
      HttpServletRequest request, HttpServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    ActuatorGuard present = guard();
    if (present != null) {
      present.doFilter(request, response, chain);
    } else if (request.getRequestURI().matches(".*/(health|prometheus|info)(/.*)?")) {
      chain.doFilter(request, response);
    } else {
      response.sendError(
          HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the service cluster is not known yet");
    }
  }

  /** Null until the service cluster is known. */
  private ActuatorGuard guard() {
    KubeClient asked = agent.serviceCluster().orElse(null);
    if (asked == null) {
      return null;
    }
    Guarded present = guarded;
    if (present == null || present.asked() != asked) {
      present = new Guarded(asked, guard(asked));
      guarded = present;
    }
    return present.guard();
  }

  private static ActuatorGuard guard(KubeClient asked) {
    return new ActuatorGuard(new AccessReviewer(asked, SystemTime.steadyClock()));
  }

  /** Connections change with their credentials. */
  private record Guarded(KubeClient asked, ActuatorGuard guard) {}
}
