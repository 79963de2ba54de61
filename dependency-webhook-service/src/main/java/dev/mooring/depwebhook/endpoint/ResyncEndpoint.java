package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.rules.RuleStore;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.stereotype.Component;

/** Has all rules listed again. Reviews are answered by the rules at hand until they are. */
@Component
@Endpoint(id = "resync")
class ResyncEndpoint {
  private final RuleStore rules;

  ResyncEndpoint(RuleStore rules) {
    this.rules = rules;
  }

  @WriteOperation
  Map<String, Object> resync() {
    rules.resync();
    return Map.of("resync", "all");
  }
}
