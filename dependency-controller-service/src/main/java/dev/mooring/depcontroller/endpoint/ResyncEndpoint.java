package dev.mooring.depcontroller.endpoint;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.model.identity.LogicalCluster;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
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

  /**
   * @param provider a logical cluster; left out for everything
   */
  @WriteOperation
  Map<String, Object> resync(@Nullable String provider) {
    if (provider == null) {
      controller.resync();
      return Map.of("resync", "all");
    }
    try {
      controller.resync(new LogicalCluster(provider));
    } catch (IllegalArgumentException e) {
      throw new InvalidEndpointRequestException(e.getMessage(), e.getMessage(), e);
    }
    return Map.of("resync", provider);
  }
}
