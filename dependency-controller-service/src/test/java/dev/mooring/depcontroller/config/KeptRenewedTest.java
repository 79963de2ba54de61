package dev.mooring.depcontroller.config;

import dev.mooring.runtime.client.http.KeptRenewedContract;
import dev.mooring.runtime.client.http.KubeConnection;
import java.nio.file.Path;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.mock.env.MockEnvironment;

class KeptRenewedTest extends KeptRenewedContract {
  @Override
  protected KubeConnection connect(Path kubeconfig) {
    var environment =
        new MockEnvironment()
            .withProperty("mooring.dependency-controller.kubeconfig", kubeconfig.toString());
    ControllerProperties properties =
        Binder.get(environment)
            .bindOrCreate("mooring.dependency-controller", ControllerProperties.class);
    return new ControllerConfiguration().kcp(properties);
  }
}
