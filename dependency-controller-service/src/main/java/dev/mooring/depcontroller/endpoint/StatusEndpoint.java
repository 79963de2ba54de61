package dev.mooring.depcontroller.endpoint;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.leadership.Leadership;
import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.depcontroller.signature.KeyReconciler;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.access.RightsMonitor;
import dev.mooring.runtime.spring.EndpointAnswers;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.stereotype.Component;

/**
 * The controller's state: {@code GET /actuator/status}, and of one provider: {@code GET
 * /actuator/status/<logical cluster>}.
 */
@Component
@Endpoint(id = "status")
record StatusEndpoint(
    DependencyController controller,
    Leadership leadership,
    KeyReconciler keys,
    RightsMonitor rights) {
  @ReadOperation
  WebEndpointResponse<Map<String, Object>> item(@Selector String provider) {
    LogicalCluster cluster;
    try {
      cluster = new LogicalCluster(provider);
    } catch (IllegalArgumentException e) {
      return EndpointAnswers.badRequest(String.valueOf(e.getMessage()));
    }
    var overview = controller.overview();
    var status = new LinkedHashMap<String, Object>();
    Installation installation = overview.installations().get(cluster);
    if (installation != null) {
      status.put("provider", describe(installation));
    }
    if (overview.shrinkBlockedBy().containsKey(cluster)) {
      status.put("shrinkBlockedBy", describe(overview.shrinkBlockedBy().get(cluster)));
    }
    var rules = new LinkedHashMap<String, Object>();
    var ruleProblems = new LinkedHashMap<String, String>();
    overview.rules().stream()
        .filter(rule -> rule.key().cluster().equals(cluster))
        .forEach(rule -> {
          rules.put(rule.key().name(), describe(rule));
          RuleProblem ruleProblem = overview.ruleProblems().get(rule.key());
          if (ruleProblem != null) {
            ruleProblems.put(rule.key().name(), ruleProblem.text());
          }
        });
    if (!rules.isEmpty()) {
      status.put("rules", rules);
      status.put("problems", ruleProblems);
    }
    return status.isEmpty()
        ? EndpointAnswers.notFound(unknown(cluster))
        : new WebEndpointResponse<>(status);
  }

  /** The message for a logical cluster without rules. */
  static String unknown(LogicalCluster cluster) {
    return "no DependencyRule names a provider in logical cluster " + cluster + ", and it has none";
  }

  @ReadOperation
  Map<String, Object> status() {
    var overview = controller.overview();
    var status = new LinkedHashMap<String, Object>();
    Optional<String> waitingFor = overview.waitingFor().or(leadership::problem);
    status.put("ready", waitingFor.isEmpty());
    waitingFor.ifPresent(reason -> status.put("waitingFor", reason));
    status.put("lastEventAgeSeconds", overview.staleness().lasted().toSeconds());
    status.put("leader", overview.leader());
    var rules = new LinkedHashMap<String, Object>();
    overview.rules().forEach(rule -> rules.put(rule.key().toString(), describe(rule)));
    status.put("rules", rules);
    status.put("problems", texts(overview.ruleProblems(), RuleProblem::text));
    status.put("paths", texts(overview.resolutions(), StatusEndpoint::describe));
    status.put("parents", overview.parents());
    status.put("exports", overview.exports());
    status.put("schemas", overview.schemas());
    status.put("providers", texts(overview.installations(), StatusEndpoint::describe));
    status.put("shrinkBlockedBy", texts(overview.shrinkBlockedBy(), StatusEndpoint::describe));
    status.put("queue", describe(overview));
    status.put("endpoints", overview.endpoints());
    status.put("signatures", keys.summary());
    status.put("rightsMissing", rights.findings().all());
    return status;
  }

  private static Map<String, Object> describe(DependencyController.Overview overview) {
    var queue = overview.queue();
    return Map.of(
        "waiting", queue.waiting(),
        "running", queue.running(),
        "delayed", queue.delayed(),
        "failing", queue.failing(),
        "succeeded", queue.succeeded(),
        "failed", queue.failed());
  }

  private static <K, V> Map<String, Object> texts(Map<K, V> map, Function<V, Object> description) {
    var texts = new LinkedHashMap<String, Object>();
    map.forEach((key, value) -> texts.put(key.toString(), description.apply(value)));
    return texts;
  }

  private static List<String> describe(Collection<ObjectKey> rules) {
    return rules.stream().map(ObjectKey::toString).toList();
  }

  private static Object describe(RuleReading rule) {
    return switch (rule) {
      case RuleReading.Valid(var valid) -> valid.problems().isEmpty() ? "valid" : valid.problems();
      case RuleReading.Invalid(_, _, var problems) -> problems;
    };
  }

  private static String describe(Resolution resolution) {
    return switch (resolution) {
      case Resolution.Known(var cluster) -> cluster.name();
      case Resolution.Absent(var message) -> message;
      case Resolution.Unknown(var message) -> message;
      case Resolution.Pending() -> "not looked up yet";
    };
  }

  private static Object describe(Installation installation) {
    return switch (installation) {
      case Installation.Installed(var coverage, _) ->
          Map.of(
              "protects",
              coverage.deletions().keySet().stream().map(GroupResource::toString).toList(),
              "guardsReferencesOf",
              coverage.references().keySet().stream().map(ResourceType::toString).toList());
      case Installation.Blocked(var cause, var message) ->
          Map.of("blocked", cause.reason(), "message", message);
      case Installation.Pending() -> Map.of("pending", true);
    };
  }
}
