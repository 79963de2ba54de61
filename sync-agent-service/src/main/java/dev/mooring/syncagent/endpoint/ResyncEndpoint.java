package dev.mooring.syncagent.endpoint;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.syncagent.agent.SyncAgent;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Looks again at everything, one PublishedResource, or one object: {@code POST
 * /actuator/resync[/<PublishedResource>[/<cluster>/<namespace>/<name>]]}; the namespace of a
 * cluster-scoped object is {@code -}.
 */
@Endpoint(id = "resync")
public final class ResyncEndpoint {
  private final SyncAgent agent;

  public ResyncEndpoint(SyncAgent agent) {
    this.agent = agent;
  }

  @WriteOperation
  public WebEndpointResponse<Map<String, Object>> all() {
    return agent.resync()
        ? accepted("everything")
        : new WebEndpointResponse<>(
            Map.of("message", "the agent is not running yet"),
            WebEndpointResponse.STATUS_SERVICE_UNAVAILABLE);
  }

  @WriteOperation
  public WebEndpointResponse<Map<String, Object>> item(@Selector String publishedResource) {
    return agent.resync(publishedResource)
        ? accepted(publishedResource)
        : missing("no PublishedResource " + publishedResource);
  }

  @WriteOperation
  public WebEndpointResponse<Map<String, Object>> object(
      @Selector String publishedResource,
      @Selector String cluster,
      @Selector String namespace,
      @Selector String name) {
    ObjectKey key;
    try {
      key =
          new ObjectKey(new LogicalCluster(cluster), namespace.equals("-") ? "" : namespace, name);
    } catch (IllegalArgumentException e) {
      return new WebEndpointResponse<>(
          Map.of("message", e.getMessage()), WebEndpointResponse.STATUS_BAD_REQUEST);
    }
    return agent.resync(publishedResource, key)
        ? accepted(key.toString())
        : missing("no object " + key + " of " + publishedResource);
  }

  private static WebEndpointResponse<Map<String, Object>> accepted(String what) {
    return new WebEndpointResponse<>(Map.of("resync", what), 202);
  }

  private static WebEndpointResponse<Map<String, Object>> missing(String what) {
    return new WebEndpointResponse<>(
        Map.of("message", "There is " + what + "."), WebEndpointResponse.STATUS_NOT_FOUND);
  }
}
