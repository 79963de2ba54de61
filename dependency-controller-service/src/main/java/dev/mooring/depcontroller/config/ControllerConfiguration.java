package dev.mooring.depcontroller.config;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.guard.GuardSettingsSource;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.runtime.client.ConnectionOptions;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.time.SystemTime;
import java.nio.file.Path;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the controller's features. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ControllerProperties.class)
class ControllerConfiguration {
  @Bean(destroyMethod = "close")
  KubeConnection kcp(ControllerProperties properties) {
    var options =
        ConnectionOptions.of("dependency-controller")
            .withRequestTimeout(properties.requestTimeout());
    if (!properties.kubeconfig().isEmpty()) {
      return KubeConnection.fromKubeconfig(Path.of(properties.kubeconfig()), options);
    }
    if (KubeConnection.runsInCluster()) {
      return KubeConnection.inCluster(options);
    }
    throw new IllegalStateException(
        "no kubeconfig: set mooring.dependency-controller.kubeconfig (or KUBECONFIG) to a file whose"
            + " current context points at the workspace of APIExport "
            + properties.apiExportName());
  }

  @Bean
  CaBundleFile caBundleFile(ControllerProperties properties) {
    return new CaBundleFile(properties.webhookCaBundlePath());
  }

  @Bean
  GuardSettingsSource guardSettings(ControllerProperties properties, CaBundleFile caBundle) {
    return () ->
        new GuardSettings(
            properties.webhookUrl(),
            caBundle.base64(),
            properties.webhookFailurePolicy(),
            properties.webhookTimeout(),
            properties.bypass());
  }

  @Bean(destroyMethod = "close")
  DependencyController dependencyController(
      KubeConnection kcp, ControllerProperties properties, GuardSettingsSource settings) {
    return DependencyController.start(
        kcp, properties.apiExportName(), settings, properties.workers(), properties.resyncPeriod());
  }

  @Bean(destroyMethod = "close")
  CaBundleWatch caBundleWatch(
      CaBundleFile file, DependencyController controller, ControllerProperties properties) {
    return new CaBundleWatch(file, controller, SystemTime.scheduler(), properties.caCheckPeriod());
  }
}
