package dev.mooring.depwebhook.config;

import dev.mooring.depwebhook.admission.DeletionCheck;
import dev.mooring.depwebhook.admission.ReviewHandler;
import dev.mooring.depwebhook.lookup.ReferrerLookup;
import dev.mooring.depwebhook.lookup.StrictLookup;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.runtime.access.AccessReviewer;
import dev.mooring.runtime.client.ConnectionOptions;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.spring.ActuatorGuard;
import dev.mooring.runtime.time.SystemTime;
import java.nio.file.Path;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the webhook's features. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(WebhookProperties.class)
class WebhookConfiguration {
  @Bean(destroyMethod = "close")
  KubeConnection kcp(WebhookProperties properties) {
    var options =
        ConnectionOptions.of("dependency-webhook").withRequestTimeout(properties.requestTimeout());
    String kubeconfig = properties.kubeconfig();
    try {
      return kubeconfig.isEmpty()
          ? KubeConnection.inCluster(options)
          : KubeConnection.fromKubeconfig(Path.of(kubeconfig), options);
    } catch (IllegalArgumentException e) {
      throw new InvalidConfigurationPropertyValueException(
          "mooring.dependency-webhook.kubeconfig",
          kubeconfig,
          e.getMessage()
              + "; its current context is to point at the workspace of APIExport "
              + properties.apiExportName());
    }
  }

  @Bean(destroyMethod = "close")
  RuleStore ruleStore(KubeConnection kcp, WebhookProperties properties) {
    return RuleStore.start(kcp, properties.apiExportName());
  }

  @Bean
  ReferrerLookup lookup(KubeConnection kcp) {
    return new StrictLookup(kcp::client);
  }

  @Bean
  DeletionCheck deletionCheck(KubeConnection kcp, RuleStore rules, ReferrerLookup lookup) {
    return new DeletionCheck(rules, new ProviderPaths(kcp::client), lookup);
  }

  @Bean
  ReviewHandler reviewHandler(DeletionCheck check) {
    return new ReviewHandler(check);
  }

  @Bean
  @ConditionalOnProperty(name = "mooring.dependency-webhook.endpoint-auth", matchIfMissing = true)
  ActuatorGuard actuatorGuard(KubeConnection kcp) {
    return new ActuatorGuard(new AccessReviewer(kcp.client(), SystemTime.clock()));
  }
}
