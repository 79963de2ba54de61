package dev.mooring.sandbox.http;

import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.request.RequestInfo;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.security.user.UserInfo;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Lets requests for objects suffer what the injector says. */
record FaultFilter(FaultInjector injector) {
  private static final Set<Verb> CONFLICTING = EnumSet.of(Verb.UPDATE, Verb.PATCH, Verb.DELETE);
  private static final Set<Verb> WRITING =
      EnumSet.of(Verb.CREATE, Verb.UPDATE, Verb.PATCH, Verb.DELETE, Verb.DELETECOLLECTION);
  private static final long RETRY_AFTER_SECONDS = 1;

  /**
   * Throws {@link ApiFailure} where a shard that is starting does not serve a type yet.
   *
   * @param inVirtualWorkspace where nothing is served then, bound or not
   */
  void requireStarted(UserInfo user, String group, boolean inVirtualWorkspace) {
    if ((inVirtualWorkspace || isBound(group))
        && injector.shouldFail(Fault.STARTING_SHARD, user.name())) {
      throw ApiFailure.pageNotFound();
    }
  }

  /** By its name: neither Kubernetes' nor kcp's own. */
  private static boolean isBound(String group) {
    return group.contains(".") && !group.endsWith(".k8s.io") && !group.endsWith(".kcp.io");
  }

  /** Throws {@link ApiFailure} for a request that is not carried out. */
  void apply(Exchange exchange, UserInfo user, RequestInfo info) {
    isSlow(user);
    if (injector.shouldFail(Fault.TOO_MANY_REQUESTS, user.name())) {
      throw ApiFailure.tooManyRequests(
          "too many requests, please try again later", (int) RETRY_AFTER_SECONDS);
    }
    if (injector.shouldFail(Fault.UNAVAILABLE, user.name())) {
      throw ApiFailure.of(
          503,
          "ServiceUnavailable",
          "the server is currently unable to handle the request",
          Map.of("retryAfterSeconds", RETRY_AFTER_SECONDS));
    }
    if (CONFLICTING.contains(info.verb()) && injector.shouldFail(Fault.CONFLICT, user.name())) {
      throw ApiFailure.staleVersion(info.type(), info.name());
    }
    if (WRITING.contains(info.verb()) && injector.shouldFail(Fault.LOST_RESPONSE, user.name())) {
      exchange.lose();
    }
    exchange.injectFaults(
        fault -> fault == Fault.SLOW ? isSlow(user) : injector.shouldFail(fault, user.name()));
  }

  /** Waits, if the request is one of those that are slow. */
  private boolean isSlow(UserInfo user) {
    Optional<Duration> late = injector.lateness(Fault.SLOW, user.name());
    try {
      if (late.isPresent()) {
        FaultInjector.pause(late.get());
      }
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
    return late.isPresent();
  }
}
