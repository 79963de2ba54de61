package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.admission.FactGatherer;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Allowed;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Denied;
import dev.mooring.depwebhook.admission.decide.AdmissionDecision.Note;
import dev.mooring.depwebhook.admission.decide.DeletionFacts;
import dev.mooring.depwebhook.admission.decide.Outcome;
import dev.mooring.depwebhook.eligibility.WorkspaceExistence;
import dev.mooring.depwebhook.lookup.TargetReader;
import dev.mooring.depwebhook.lookup.TargetReader.Reading;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.spring.EndpointAnswers;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.stereotype.Component;

/** Explains the decision on a deletion, with the code that makes it. */
@Component
@Endpoint(id = "blockers")
record BlockersEndpoint(FactGatherer facts, TargetReader targets, KubeConnection kcp) {
  private static final String DELETION = "deletion";

  /** Requests no bypass. */
  private static final KubeObject UNANNOTATED = KubeObject.of(Map.of());

  /**
   * @param cluster logical cluster of the consumer, or the path of its workspace
   * @param resource such as {@code vpcs.network.example.com}
   * @param namespace left out for a cluster-scoped object
   * @param provider logical cluster of the target's provider; left out for any
   */
  @ReadOperation
  WebEndpointResponse<Map<String, Object>> blockers(
      String cluster,
      String resource,
      @Nullable String namespace,
      String name,
      @Nullable String provider) {
    Target target = target(cluster, resource, namespace == null ? "" : namespace, name);
    Optional<LogicalCluster> exporter =
        Optional.ofNullable(provider).map(exporting -> valid(() -> new LogicalCluster(exporting)));
    return switch (targets.read(target)) {
      case Reading.Found(var object) ->
          new WebEndpointResponse<>(explained(target, object, exporter));
      case Reading.Missing(var message) -> EndpointAnswers.notFound(message);
      case Reading.Misplaced(var message) -> EndpointAnswers.badRequest(message);
      case Reading.Unreadable(var message) -> {
        var answer = explained(target, UNANNOTATED, exporter);
        answer.put("problem", "the target could not be read: " + message);
        yield new WebEndpointResponse<>(answer);
      }
    };
  }

  private Map<String, Object> explained(
      Target target, KubeObject object, Optional<LogicalCluster> provider) {
    var decided = facts.explain(target, object, provider);
    DeletionFacts found = decided.facts();
    var answer = new LinkedHashMap<String, Object>();
    answer.put("target", target.type() + " " + target.key());
    describe(decided.decision(), answer);
    answer.put("rules", found.protections().stream().map(BlockersEndpoint::describe).toList());
    if (!found.bypassed().isEmpty()) {
      answer.put("bypassed", found.bypassedRules());
    }
    return answer;
  }

  private static void describe(AdmissionDecision decision, Map<String, Object> answer) {
    switch (decision) {
      case Allowed(var outcome, var warnings, var audits, _) -> {
        answer.put(DELETION, "allowed");
        answer.put("reason", outcome.name().toLowerCase(Locale.ROOT));
        answer.put("warnings", warnings.stream().map(Note::message).toList());
        answer.put("audits", audits.stream().map(Note::message).toList());
      }
      case Denied(var outcome, var refusal, var rules) -> {
        answer.put(
            DELETION,
            switch (outcome) {
              case DENIED -> "denied";
              case IN_FLIGHT -> "in flight";
              default -> "refused";
            });
        answer.put("message", refusal.message());
        if (outcome == Outcome.DENIED) {
          answer.put("deniedBy", rules);
        }
      }
    }
  }

  private static Map<String, Object> describe(MatchedRule protection) {
    return Trees.ordered(
        "rule", protection.rule().qualifiedName(),
        "dependent", protection.rule().dependent().type().toString(),
        "field", protection.dependency().field().text(),
        "mode", protection.mode().text(),
        "consistency", protection.consistency().text(),
        "provider", protection.dependency().export().path().value(),
        "export", protection.dependency().export().name());
  }

  private Target target(String cluster, String resource, String namespace, String name) {
    return valid(() ->
        new Target(
            GroupResource.parse(resource),
            new ObjectKey(
                cluster.contains(":")
                    ? clusterOf(new WorkspacePath(cluster))
                    : new LogicalCluster(cluster),
                namespace,
                name)));
  }

  private LogicalCluster clusterOf(WorkspacePath path) {
    try {
      return WorkspaceExistence.find(kcp.client(path))
          .flatMap(KubeObject::logicalCluster)
          .orElseThrow(() -> new IllegalArgumentException("there is no workspace " + path));
    } catch (KubeFailure e) {
      throw new IllegalArgumentException(
          "workspace " + path + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static <T> T valid(Supplier<T> parameter) {
    try {
      return parameter.get();
    } catch (IllegalArgumentException e) {
      throw new InvalidEndpointRequestException(
          String.valueOf(e.getMessage()), String.valueOf(e.getMessage()), e);
    }
  }
}
