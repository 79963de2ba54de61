package dev.mooring.syncagent.endpoint;

import dev.mooring.runtime.spring.EndpointAnswers;
import dev.mooring.syncagent.agent.SyncAgent;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/** {@code GET /actuator/status} and {@code GET /actuator/status/<PublishedResource>}. */
@Endpoint(id = "status")
public record StatusEndpoint(SyncAgent agent) {
  @ReadOperation
  public Map<String, Object> all() {
    return agent.describe();
  }

  @ReadOperation
  public WebEndpointResponse<Map<String, Object>> one(@Selector String publishedResource) {
    return agent
        .running()
        .flatMap(running -> running.describe(publishedResource))
        .map(status -> new WebEndpointResponse<>(status))
        .orElseGet(
            () -> EndpointAnswers.notFound("there is no PublishedResource " + publishedResource));
  }
}
