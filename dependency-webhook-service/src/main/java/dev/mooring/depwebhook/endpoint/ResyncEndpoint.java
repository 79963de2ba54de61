package dev.mooring.depwebhook.endpoint;

import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.runtime.spring.EndpointAnswers;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.stereotype.Component;

/**
 * Relists all rules: {@code POST /actuator/resync[/<logical cluster>]}. One list has the rules of
 * all providers. Reviews use the cached rules until the list is complete.
 */
@Component
@Endpoint(id = "resync")
record ResyncEndpoint(RuleStore rules, StatusEndpoint status) {
  @WriteOperation
  WebEndpointResponse<Map<String, Object>> all() {
    rules.resync();
    return EndpointAnswers.accepted("all");
  }

  @WriteOperation
  WebEndpointResponse<Map<String, Object>> item(@Selector String provider) {
    WebEndpointResponse<Map<String, Object>> found = status.item(provider);
    if (found.getStatus() != WebEndpointResponse.STATUS_OK) {
      return found;
    }
    rules.resync();
    return EndpointAnswers.accepted(provider);
  }
}
