package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.index.ReferenceIndexes;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.Rules;
import dev.mooring.depwebhook.signature.SignatureCheck;
import dev.mooring.runtime.access.RightsMonitor;
import java.util.LinkedHashMap;
import java.util.Map;
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
class StatusEndpoint {
  private final RuleStore rules;
  private final ReferenceIndexes indexes;
  private final SignatureCheck signatures;
  private final ProviderStatus providers;
  private final RightsMonitor rights;

  StatusEndpoint(
      RuleStore rules,
      ReferenceIndexes indexes,
      SignatureCheck signatures,
      ProviderStatus providers,
      RightsMonitor rights) {
    this.rules = rules;
    this.indexes = indexes;
    this.signatures = signatures;
    this.providers = providers;
    this.rights = rights;
  }

  @ReadOperation
  WebEndpointResponse<Map<String, Object>> item(@Selector String provider) {
    return providers.of(provider);
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
}
