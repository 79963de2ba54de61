package dev.mooring.syncagent.endpoint;

import dev.mooring.syncagent.agent.SyncAgent;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/** {@code GET /actuator/status} and {@code GET /actuator/status/<PublishedResource>}. */
@Endpoint(id = "status")
public final class StatusEndpoint {
  private final SyncAgent agent;

  public StatusEndpoint(SyncAgent agent) {
    this.agent = agent;
  }

  @ReadOperation
  public Map<String, Object> all() {
    return agent.describe();
  }

  /** Null, which is answered as 404, if there is no such PublishedResource. */
  @ReadOperation
  public Map<String, Object> one(@Selector String publishedResource) {
    return agent.describe(publishedResource).orElse(null);
  }
}
