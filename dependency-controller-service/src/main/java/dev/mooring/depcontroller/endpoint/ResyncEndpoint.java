package dev.mooring.depcontroller.endpoint;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.model.identity.LogicalCluster;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
import org.springframework.stereotype.Component;

/** Has everything, or one provider's configuration, looked at again. */
@Component
@Endpoint(id = "resync")
class ResyncEndpoint {
  private final DependencyController controller;

  ResyncEndpoint(DependencyController controller) {
    this.controller = controller;
  }

  @WriteOperation
  Map<String, Object> resync() {
    controller.resync();
    return Map.of("resync", "all");
  }

  /**
   * @param provider a logical cluster
   */
  @WriteOperation
  Map<String, Object> resync(@Selector String provider) {
    try {
      controller.resync(new LogicalCluster(provider));
    } catch (IllegalArgumentException e) {
      throw new InvalidEndpointRequestException(e.getMessage(), e.getMessage(), e);
    }
    return Map.of("resync", provider);
  }
}
