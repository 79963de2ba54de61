package dev.mooring.sandbox.http;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.json.MalformedJson;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.Verb;
import dev.mooring.sandbox.api.request.RequestInfo;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.fault.Fault;
import dev.mooring.sandbox.fault.FaultInjector;
import dev.mooring.sandbox.fault.FaultSettings;
import dev.mooring.sandbox.http.exchange.Exchange;
import dev.mooring.sandbox.security.user.UserInfo;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Lets requests for objects suffer what the injector says, which {@code /faults} changes. */
record FaultFilter(FaultInjector injector) {
  private static final List<String> ADMINISTRATORS = List.of(UserInfo.MASTERS, UserInfo.KCP_ADMINS);
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

  /**
   * {@code /faults}, for administrators: PUT replaces the faults that requests meet, DELETE ends
   * them, and GET answers them with how often each was met. Throws {@link ApiFailure}.
   */
  void answer(Exchange exchange, UserInfo user) throws IOException {
    if (Collections.disjoint(user.groups(), ADMINISTRATORS)) {
      throw ApiFailure.forbidden(
          "User \"%s\" cannot use path \"/faults\": only administrators can, groups %s"
              .formatted(user.name(), ADMINISTRATORS));
    }
    switch (exchange.method()) {
      case "GET" -> {}
      case "PUT" -> replace(exchange.body());
      case "DELETE" -> injector.replace(FaultSettings.NONE);
      default -> throw ApiFailure.methodNotAllowed();
    }
    var faults = new TreeMap<String, Object>();
    injector.probabilities().forEach((fault, probability) -> faults.put(fault.name(), probability));
    var injected = new TreeMap<String, Object>();
    for (Fault fault : Fault.values()) {
      injected.put(fault.name(), injector.injected(fault));
    }
    var answer = Trees.ordered("faults", faults, "injected", injected);
    exchange.answerObject(200, "application/json", Map.of(), KubeJson.write(answer));
  }

  private void replace(byte[] body) {
    try {
      injector.replace(FaultSettings.of(YamlText.read(new String(body, StandardCharsets.UTF_8))));
    } catch (MalformedJson | IllegalArgumentException e) {
      throw ApiFailure.badRequest(String.valueOf(e.getMessage()));
    }
  }
}
