package dev.mooring.depcontroller.config;

import dev.mooring.depcontroller.control.ControllerTimings;
import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.leadership.Leadership;
import dev.mooring.depcontroller.signature.KeyReconciler;
import dev.mooring.depcontroller.status.decide.StatusFacts.WebhookDelay;
import dev.mooring.depcontroller.workspace.WorkspaceAccess;
import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.spring.CertificateWatch;
import dev.mooring.runtime.spring.ExportWorkspace;
import dev.mooring.runtime.time.Scheduler;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.trace.Tracing;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the controller's features. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ControllerProperties.class)
class ControllerConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(ControllerConfiguration.class);

  @Bean(destroyMethod = "close")
  KubeConnection kcp(ControllerProperties properties) {
    return ExportWorkspace.connect(
        "dependency-controller",
        properties.kubeconfig(),
        properties.requestTimeout(),
        properties.apiExportName());
  }

  @Bean
  CaBundle caBundle(ControllerProperties properties) {
    return new CaBundle(properties.webhookCaBundlePath());
  }

  @Bean
  Supplier<GuardSettings> guardSettings(
      ControllerProperties properties, CaBundle caBundle, KeyReconciler keys) {
    return () ->
        new GuardSettings(
            properties.webhookUrl(),
            caBundle.base64(),
            properties.webhookFailurePolicy(),
            properties.webhookTimeout(),
            keys.signing().map(key -> key::segment));
  }

  /** Reads the keys once: configurations written without a key would be written twice. */
  @Bean
  KeyReconciler keyReconciler(
      KubeConnection kcp, ControllerProperties properties, Leadership leadership) {
    var keys =
        new KeyReconciler(
            kcp.writingWhile(leadership::holds).client(),
            properties.leaseNamespace(),
            leadership::holds);
    keys.reconcile();
    return keys;
  }

  @Bean(destroyMethod = "cancel")
  Scheduler.Scheduled settingsChecks(
      KeyReconciler keys,
      CaBundle caBundle,
      DependencyController controller,
      ControllerProperties properties) {
    keys.observeRollout(controller::providersWithout);
    return SystemTime.scheduler()
        .every(
            properties.caCheckPeriod(),
            "settings",
            () -> {
              boolean newKey = keys.reconcile();
              if (newKey) {
                LOG.info("Another key signs URLs; updating every webhook configuration");
              }
              boolean newBundle = caBundle.hasChanged();
              if (newBundle) {
                LOG.info("The CA bundle changed; updating every webhook configuration");
              }
              if (newKey || newBundle) {
                controller.resync();
              }
            });
  }

  @Bean(destroyMethod = "close")
  Leadership leadership(KubeConnection kcp, ControllerProperties properties) {
    return properties.leaderElection()
        ? Leadership.elected(kcp.client(), properties.leaseNamespace(), SystemTime.steadyClock())
        : Leadership.unopposed();
  }

  @Bean(destroyMethod = "close")
  DependencyController dependencyController(
      KubeConnection kcp,
      ControllerProperties properties,
      Supplier<GuardSettings> settings,
      Leadership leadership,
      Tracing tracing) {
    var controller =
        new DependencyController(
                SystemTime.clocks(),
                tracing,
                new WorkspaceAccess(
                    kcp.writingWhile(leadership::holds),
                    properties.kcpBaseHost(),
                    EndpointOverrides.of(properties.endpointHostOverride())),
                properties.apiExportName(),
                settings,
                properties.workers(),
                new ControllerTimings(
                    properties.resyncPeriod(),
                    properties.webhookUser(),
                    new WebhookDelay(
                        properties.webhookRulesMaxStaleness(),
                        properties.webhookIndexMaxStaleness()),
                    properties.maxStaleness()),
                leadership::holds)
            .start();
    leadership.whenGained(controller::resync);
    return controller;
  }

  @Bean
  @ConditionalOnProperty(
      name = "mooring.dependency-controller.endpoint-auth",
      matchIfMissing = true)
  AccessReviewer endpointCallers(KubeConnection kcp) {
    return new AccessReviewer(kcp.client(), SystemTime.steadyClock());
  }

  @Bean
  CertificateWatch kcpClientCertificate(KubeConnection kcp) {
    return new CertificateWatch("kcp-client", kcp::clientCertificate);
  }
}
