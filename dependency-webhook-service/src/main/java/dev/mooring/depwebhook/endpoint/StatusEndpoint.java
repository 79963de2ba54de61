package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.RuleStore;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.stereotype.Component;

/** What the webhook knows. */
@Component
@Endpoint(id = "status")
class StatusEndpoint {
  private final RuleStore rules;

  StatusEndpoint(RuleStore rules) {
    this.rules = rules;
  }

  @ReadOperation
  Map<String, Object> status() {
    var status = new LinkedHashMap<String, Object>();
    switch (rules.current()) {
      case RuleSource.Loaded(var index) -> {
        status.put("ready", true);
        status.put("rules", index.size());
        status.put("protectedTypes", index.targets());
      }
      case RuleSource.Loading(var reason) -> {
        status.put("ready", false);
        status.put("waitingFor", reason);
      }
    }
    status.put("endpoints", rules.endpoints());
    return status;
  }
}
