package dev.mooring.depwebhook.config;

import dev.mooring.depwebhook.rules.RuleSource;
import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.runtime.access.RightsMonitor;
import dev.mooring.runtime.access.RightsReviewer.Need;
import dev.mooring.runtime.access.RightsReviewer.Right;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.spring.RightsHealth;
import dev.mooring.runtime.time.SystemTime;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which rights the webhook needs, where, and by which manifest it gets them. */
@Configuration(proxyBeanMethods = false)
class RightsConfiguration {
  private static final String OWN = "charts/mooring/kcp/rbac-dependency-workspace.yaml";
  private static final String EVERYWHERE =
      "charts/mooring/kcp/rbac-shard-system-admin.yaml, on every shard";

  @Bean(destroyMethod = "close")
  RightsMonitor rightsMonitor(KubeConnection kcp, RuleStore rules, WebhookProperties properties) {
    return RightsMonitor.start(
        () ->
            new RightsMonitor.Needs(own(kcp, properties.apiExportName()), atProviders(kcp, rules)),
        SystemTime.scheduler());
  }

  @Bean("rights")
  RightsHealth rightsHealth(RightsMonitor monitor, MeterRegistry metrics) {
    return new RightsHealth(monitor, metrics, "mooring.dependency.webhook.rights.missing");
  }

  private static List<Need> own(KubeConnection kcp, String export) {
    return List.of(
        new Need(
            "the workspace of APIExport " + export,
            kcp.client(),
            List.of(
                new Right("list", "apis.kcp.io", "apiexportendpointslices", ""),
                new Right("watch", "apis.kcp.io", "apiexportendpointslices", ""),
                new Right("list", "apis.kcp.io", "apiexports/content", export),
                new Right("watch", "apis.kcp.io", "apiexports/content", export)),
            OWN));
  }

  /**
   * What is read of authors and of providers of targets. What is read of consumers cannot be
   * reviewed: nothing lists them.
   */
  private static SortedMap<String, List<Need>> atProviders(KubeConnection kcp, RuleStore rules) {
    var needs = new TreeMap<String, List<Need>>();
    for (DependencyRule rule : known(rules)) {
      String author = "logical cluster " + rule.key().cluster();
      needs.computeIfAbsent(
          author,
          place -> List.of(new Need(place, kcp.client(rule.key().cluster()), read(), EVERYWHERE)));
    }
    return needs;
  }

  private static List<Right> read() {
    return List.of(
        new Right("get", "apis.kcp.io", "apiexports", ""),
        new Right("list", "apis.kcp.io", "apibindings", ""),
        new Right("get", "core.kcp.io", "logicalclusters", ""));
  }

  private static Collection<DependencyRule> known(RuleStore rules) {
    return switch (rules.current()) {
      case RuleSource.Loaded(var index) -> index.rules();
      case RuleSource.Stale(var index, _) -> index.rules();
      case RuleSource.Loading(_) -> Set.of();
    };
  }
}
