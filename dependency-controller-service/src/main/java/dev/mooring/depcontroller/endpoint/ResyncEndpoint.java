package dev.mooring.depcontroller.endpoint;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.spring.EndpointAnswers;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.stereotype.Component;

/** Reconciles everything, or one provider: {@code POST /actuator/resync[/<logical cluster>]}. */
@Component
@Endpoint(id = "resync")
record ResyncEndpoint(DependencyController controller) {
  @WriteOperation
  WebEndpointResponse<Map<String, Object>> all() {
    controller.resync();
    return EndpointAnswers.accepted("all");
  }

  /**
   * @param provider a logical cluster that rules protect, or that has rules
   */
  @WriteOperation
  WebEndpointResponse<Map<String, Object>> item(@Selector String provider) {
    LogicalCluster cluster;
    try {
      cluster = new LogicalCluster(provider);
    } catch (IllegalArgumentException e) {
      return EndpointAnswers.badRequest(String.valueOf(e.getMessage()));
    }
    return controller.resync(cluster)
        ? EndpointAnswers.accepted(provider)
        : EndpointAnswers.notFound(StatusEndpoint.unknown(cluster));
  }
}
