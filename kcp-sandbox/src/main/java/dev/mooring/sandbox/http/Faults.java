package dev.mooring.sandbox.http;

import dev.mooring.sandbox.api.ApiFailure;
import dev.mooring.sandbox.api.RequestInfo;
import dev.mooring.sandbox.api.Verb;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.fault.FaultMenu;
import dev.mooring.sandbox.security.UserInfo;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Lets requests for objects suffer what the menu says. */
final class Faults {
  private static final Set<Verb> CONFLICTING = EnumSet.of(Verb.UPDATE, Verb.PATCH, Verb.DELETE);
  private static final Set<Verb> WRITING =
      EnumSet.of(Verb.CREATE, Verb.UPDATE, Verb.PATCH, Verb.DELETE, Verb.DELETECOLLECTION);
  private static final long RETRY_AFTER_SECONDS = 1;

  private final FaultMenu menu;

  Faults(FaultMenu menu) {
    this.menu = menu;
  }

  /**
   * Throws {@link ApiFailure} where a shard that is starting does not serve a type yet.
   *
   * @param inVirtualWorkspace where nothing is served then, bound or not
   */
  void requireStarted(UserInfo user, String group, boolean inVirtualWorkspace) {
    if ((inVirtualWorkspace || isBound(group)) && menu.strikes(Fault.STARTING_SHARD, user.name())) {
      throw ApiFailure.pageNotFound();
    }
  }

  /** By its name: neither Kubernetes' nor kcp's own. */
  private static boolean isBound(String group) {
    return group.contains(".") && !group.endsWith(".k8s.io") && !group.endsWith(".kcp.io");
  }

  /** Throws {@link ApiFailure} for a request that is not carried out. */
  void befall(Exchange exchange, UserInfo user, RequestInfo info) {
    if (menu.strikes(Fault.SLOW, user.name())) {
      dawdle();
    }
    if (menu.strikes(Fault.TOO_MANY_REQUESTS, user.name())) {
      throw ApiFailure.tooManyRequests(
          "too many requests, please try again later", (int) RETRY_AFTER_SECONDS);
    }
    if (menu.strikes(Fault.UNAVAILABLE, user.name())) {
      throw ApiFailure.of(
          503,
          "ServiceUnavailable",
          "the server is currently unable to handle the request",
          Map.of("retryAfterSeconds", RETRY_AFTER_SECONDS));
    }
    if (CONFLICTING.contains(info.verb()) && menu.strikes(Fault.CONFLICT, user.name())) {
      throw ApiFailure.staleVersion(info.type(), info.name());
    }
    if (WRITING.contains(info.verb()) && menu.strikes(Fault.LOST_RESPONSE, user.name())) {
      exchange.lose();
    }
    exchange.suffer(fault -> {
      boolean strikes = menu.strikes(fault, user.name());
      if (strikes && fault == Fault.SLOW) {
        dawdle();
      }
      return strikes;
    });
  }

  private void dawdle() {
    try {
      menu.dawdle();
    } catch (InterruptedException closing) {
      Thread.currentThread().interrupt();
    }
  }
}
