package dev.mooring.depcontroller.endpoint;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.leadership.Leadership;
import dev.mooring.depcontroller.signature.ReviewSigning;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.stereotype.Component;

/** What the controller knows, and what became of each provider. */
@Component
@Endpoint(id = "status")
class StatusEndpoint {
  private final DependencyController controller;
  private final Leadership leadership;
  private final ReviewSigning signing;

  StatusEndpoint(DependencyController controller, Leadership leadership, ReviewSigning signing) {
    this.controller = controller;
    this.leadership = leadership;
    this.signing = signing;
  }

  @ReadOperation
  Map<String, Object> status() {
    var overview = controller.overview();
    var status = new LinkedHashMap<String, Object>();
    Optional<String> waitingFor = overview.waitingFor().or(leadership::problem);
    status.put("ready", waitingFor.isEmpty());
    waitingFor.ifPresent(reason -> status.put("waitingFor", reason));
    status.put("silentForSeconds", overview.silence().lasted().toSeconds());
    status.put("leads", overview.leads());
    var rules = new LinkedHashMap<String, Object>();
    overview.rules().forEach(rule -> rules.put(rule.key().toString(), describe(rule)));
    status.put("rules", rules);
    var shortfalls = new LinkedHashMap<String, String>();
    overview.shortfalls().forEach((rule, is) -> shortfalls.put(rule.toString(), is.told()));
    status.put("shortfalls", shortfalls);
    var paths = new LinkedHashMap<String, String>();
    overview.resolutions().forEach((path, to) -> paths.put(path.value(), describe(to)));
    status.put("paths", paths);
    status.put("parents", overview.parents());
    status.put("exports", overview.exports());
    status.put("schemas", overview.schemas());
    var providers = new LinkedHashMap<String, Object>();
    overview.installations().forEach((cluster, is) -> providers.put(cluster.name(), describe(is)));
    status.put("providers", providers);
    var heldUp = new LinkedHashMap<String, Object>();
    overview
        .heldUp()
        .forEach((cluster, by) ->
            heldUp.put(cluster.name(), by.stream().map(ObjectKey::toString).toList()));
    status.put("heldUp", heldUp);
    status.put("queue", describe(overview));
    status.put("endpoints", overview.endpoints());
    status.put("signatures", signing.summary());
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
