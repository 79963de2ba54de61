package dev.mooring.depwebhook.config;

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
            .withProperty("mooring.dependency-webhook.kubeconfig", kubeconfig.toString());
    WebhookProperties properties =
        Binder.get(environment).bindOrCreate("mooring.dependency-webhook", WebhookProperties.class);
    return new WebhookConfiguration().kcp(properties);
  }
}
