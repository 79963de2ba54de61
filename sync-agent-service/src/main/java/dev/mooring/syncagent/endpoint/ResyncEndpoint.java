package dev.mooring.syncagent.endpoint;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.spring.EndpointAnswers;
import dev.mooring.syncagent.agent.RunningAgent;
import dev.mooring.syncagent.agent.SyncAgent;
import java.util.Map;
import java.util.Optional;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;

/**
 * Requeues everything, one PublishedResource, or one object: {@code POST
 * /actuator/resync[/<PublishedResource>[/<cluster>/<namespace>/<name>]]}; the namespace of a
 * cluster-scoped object is {@code -}.
 */
@Endpoint(id = "resync")
public record ResyncEndpoint(SyncAgent agent) {
  @WriteOperation
  public WebEndpointResponse<Map<String, Object>> all() {
    Optional<RunningAgent> running = agent.running();
    running.ifPresent(RunningAgent::resync);
    return running.isPresent()
        ? EndpointAnswers.accepted("all")
        : EndpointAnswers.unavailable("the agent is not running yet");
  }

  @WriteOperation
  public WebEndpointResponse<Map<String, Object>> item(@Selector String publishedResource) {
    return agent.running().filter(running -> running.resync(publishedResource)).isPresent()
        ? EndpointAnswers.accepted(publishedResource)
        : EndpointAnswers.notFound("there is no PublishedResource " + publishedResource);
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
      return EndpointAnswers.badRequest(String.valueOf(e.getMessage()));
    }
    return agent.running().filter(running -> running.resync(publishedResource, key)).isPresent()
        ? EndpointAnswers.accepted(key.toString())
        : EndpointAnswers.notFound(
            agent
                .otherOwner(key.cluster())
                .map(other -> "replica " + other + " syncs the objects of " + cluster + ": ask it")
                .orElseGet(() -> "there is no object " + key + " of " + publishedResource));
  }
}
