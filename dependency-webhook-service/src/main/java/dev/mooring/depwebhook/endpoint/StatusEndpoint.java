package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.depwebhook.signature.SignatureCheck;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.access.RightsMonitor;
import dev.mooring.runtime.spring.EndpointAnswers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.stereotype.Component;

/**
 * The state of the webhook: {@code GET /actuator/status}; of one provider: {@code GET
 * /actuator/status/<logical cluster>}.
 */
@Component
@Endpoint(id = "status")
record StatusEndpoint(
    RuleStore rules,
    ReferenceIndexes indexes,
    SignatureCheck signatures,
    ProviderPaths paths,
    RightsMonitor rights) {
  /**
   * The rules in one provider's workspace, and those about what it exports.
   *
   * @param provider a logical cluster
   */
  @ReadOperation
  WebEndpointResponse<Map<String, Object>> item(@Selector String provider) {
    LogicalCluster cluster;
    try {
      cluster = new LogicalCluster(provider);
    } catch (IllegalArgumentException e) {
      return EndpointAnswers.badRequest(String.valueOf(e.getMessage()));
    }
    return switch (rules.current()) {
      case Rules.Loading(var reason) -> EndpointAnswers.unavailable(reason);
      case Rules.Stale(var index, _) -> of(cluster, index);
      case Rules.Loaded(var index) -> of(cluster, index);
    };
  }

  @ReadOperation
  Map<String, Object> status() {
    var status = new LinkedHashMap<String, Object>();
    switch (rules.current()) {
      case Rules.Loaded(var index) -> {
        status.put("ready", true);
        status.put("rules", index.size());
        status.put("protectedTypes", index.targets());
      }
      case Rules.Stale(var index, var problem) -> {
        status.put("ready", false);
        status.put("rules", index.size());
        status.put("waitingFor", problem);
      }
      case Rules.Loading(var reason) -> {
        status.put("ready", false);
        status.put("waitingFor", reason);
      }
    }
    ReferenceIndexes.Status held = indexes.status();
    status.put("indexes", describe(held));
    status.put("endpoints", rules.endpoints());
    status.put("signatures", signatures.summary());
    status.put("rightsMissing", rights.findings().all());
    return status;
  }

  private static Map<String, Object> describe(ReferenceIndexes.Status held) {
    var indexes = new LinkedHashMap<String, Object>();
    indexes.put("open", held.indexes());
    indexes.put("objects", held.objects());
    indexes.put("lastEventAgeSeconds", held.oldest().toSeconds());
    indexes.put("unconfirmed", held.unconfirmed());
    if (!held.problem().isEmpty()) {
      indexes.put("waitingFor", held.problem());
    }
    return indexes;
  }

  private WebEndpointResponse<Map<String, Object>> of(LogicalCluster provider, RuleIndex index) {
    List<DependencyRule> written = index.writtenIn(provider);
    Optional<WorkspacePath> path = paths.of(provider);
    List<DependencyRule> about = index.about(provider, path);
    if (written.isEmpty() && about.isEmpty()) {
      return EndpointAnswers.notFound(
          path.isPresent()
              ? "no DependencyRule is about the provider in logical cluster %s, and none stands there"
                  .formatted(provider)
              : ("no DependencyRule stands in logical cluster %s, and its path cannot be read: it does"
                      + " not exist, or the webhook lacks the right to get its LogicalCluster")
                  .formatted(provider));
    }
    var status = new LinkedHashMap<String, Object>();
    path.ifPresent(known -> status.put("path", known.value()));
    var described = new LinkedHashMap<String, Object>();
    written.forEach(rule ->
        described.put(rule.key().name(), rule.problems().isEmpty() ? "valid" : rule.problems()));
    status.put("rules", described);
    status.put("protectedBy", about.stream().map(DependencyRule::qualifiedName).toList());
    return new WebEndpointResponse<>(status);
  }
}
