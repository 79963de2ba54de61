package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.spring.EndpointAnswers;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.stereotype.Component;

/** The rules in one provider's workspace, and those about what it exports. */
@Component
class ProviderStatus {
  private final RuleStore rules;
  private final ProviderPaths paths;

  ProviderStatus(RuleStore rules, ProviderPaths paths) {
    this.rules = rules;
    this.paths = paths;
  }

  /**
   * @param provider a logical cluster
   */
  WebEndpointResponse<Map<String, Object>> of(String provider) {
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

  private WebEndpointResponse<Map<String, Object>> of(LogicalCluster provider, RuleIndex index) {
    List<DependencyRule> written = index.writtenIn(provider);
    Optional<WorkspacePath> path = paths.of(provider);
    List<DependencyRule> about = index.about(provider, path);
    if (written.isEmpty() && about.isEmpty()) {
      return EndpointAnswers.notFound(
          path.isPresent()
              ? "no DependencyRule is about the provider in logical cluster "
                  + provider
                  + ", and none stands there"
              : "no DependencyRule stands in logical cluster "
                  + provider
                  + ", and its path cannot be read: it does not exist, or the webhook lacks the"
                  + " right to get its LogicalCluster");
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
