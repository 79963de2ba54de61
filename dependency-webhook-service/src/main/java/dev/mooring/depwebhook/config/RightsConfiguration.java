package dev.mooring.depwebhook.config;

import dev.mooring.depwebhook.rules.RuleStore;
import dev.mooring.depwebhook.rules.decide.RuleIndex;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.access.DependencyWorkspace;
import dev.mooring.runtime.access.RightsMonitor;
import dev.mooring.runtime.access.RightsReviewer.Need;
import dev.mooring.runtime.access.RightsReviewer.Right;
import dev.mooring.runtime.client.http.KubeConnection;
import dev.mooring.runtime.signature.ReviewKeys;
import dev.mooring.runtime.spring.RightsHealth;
import dev.mooring.runtime.time.SystemTime;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which rights the webhook needs, where, and by which manifest it gets them. */
@Configuration(proxyBeanMethods = false)
class RightsConfiguration {
  private static final String EVERYWHERE =
      "charts/mooring/kcp/rbac-shard-system-admin.yaml, on every shard";
  private static final List<Right> EVERY_RULE =
      List.of(
          Right.to("get", "apis.kcp.io", "apiexports"),
          Right.to("list", "apis.kcp.io", "apibindings"),
          Right.to("get", "core.kcp.io", "logicalclusters"));
  private static final List<Right> FEATURES =
      List.of(
          Right.to("create", "", "events"),
          Right.to("patch", "", "events"),
          Right.to("create", "authorization.k8s.io", "subjectaccessreviews"));

  @Bean(destroyMethod = "close")
  RightsMonitor rightsMonitor(KubeConnection kcp, RuleStore rules, WebhookProperties properties) {
    var own = new DependencyWorkspace(properties.apiExportName(), kcp.client());
    return RightsMonitor.start(
        () -> {
          Collection<DependencyRule> known = known(rules);
          return new RightsMonitor.Needs(
              List.of(own.following()),
              atAuthors(kcp, known),
              features(kcp, own, properties, known));
        },
        SystemTime.scheduler());
  }

  @Bean("rights")
  RightsHealth rightsHealth(RightsMonitor monitor, MeterRegistry metrics) {
    return new RightsHealth(monitor, metrics, "mooring.dependency.webhook.rights.missing");
  }

  private static List<Need> features(
      KubeConnection kcp,
      DependencyWorkspace own,
      WebhookProperties properties,
      Collection<DependencyRule> known) {
    var needs = new ArrayList<Need>();
    needs.add(own.secrets(properties.certificateNamespace(), ReviewKeys.SECRET, "get"));
    if (known.stream().anyMatch(DependencyRule::guardsReferences)) {
      needs.add(
          own.leases(
              properties.raceRegisterNamespace(), "get", "list", "create", "update", "delete"));
    }
    if (properties.endpointAuth()) {
      needs.add(own.reviewingCallers());
    }
    known.stream()
        .map(rule -> rule.key().cluster())
        .distinct()
        .forEach(author -> needs.add(at(author, kcp, FEATURES)));
    return needs;
  }

  /**
   * What is read in workspaces of providers and consumers. What is granted for consumers is granted
   * for authors as well; consumers cannot be reviewed, as nothing lists them.
   */
  private static SortedMap<String, List<Need>> atAuthors(
      KubeConnection kcp, Collection<DependencyRule> known) {
    var rights = new TreeMap<LogicalCluster, Set<Right>>();
    for (DependencyRule rule : known) {
      ResourceType dependent = rule.dependent().type();
      Set<Right> of =
          rights.computeIfAbsent(rule.key().cluster(), _ -> new LinkedHashSet<>(EVERY_RULE));
      of.add(Right.to("get", dependent.group(), dependent.resource()));
      of.add(Right.to("list", dependent.group(), dependent.resource()));
    }
    var needs = new TreeMap<String, List<Need>>();
    rights.forEach((author, of) -> {
      Need need = at(author, kcp, of);
      needs.put(need.place(), List.of(need));
    });
    return needs;
  }

  private static Need at(LogicalCluster author, KubeConnection kcp, Collection<Right> rights) {
    return new Need(
        "logical cluster " + author, kcp.client(author), List.copyOf(rights), EVERYWHERE);
  }

  private static Collection<DependencyRule> known(RuleStore rules) {
    return rules.current().lastLoaded().map(RuleIndex::rules).orElse(List.of());
  }
}
