package dev.mooring.depcontroller.config;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.workspace.WorkspaceAccess;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.WorkspacePath;
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
import java.util.HashMap;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which rights the controller needs, where, and by which manifest it gets them. */
@Configuration(proxyBeanMethods = false)
class RightsConfiguration {
  private static final String MANIFESTS = "charts/mooring/kcp/";
  private static final String PROVIDERS = MANIFESTS + "rbac-provider-workspace.yaml";

  @Bean(destroyMethod = "close")
  RightsMonitor rightsMonitor(
      KubeConnection kcp, ControllerProperties properties, DependencyController controller) {
    var own = new DependencyWorkspace(properties.apiExportName(), kcp.client());
    var access = new WorkspaceAccess(kcp, properties.kcpBaseHost());
    return RightsMonitor.start(
        () -> {
          var overview = controller.overview();
          SortedSet<WorkspacePath> providers = overview.providers();
          var features = new ArrayList<>(features(own, properties));
          overview.rules().stream()
              .map(rule -> rule.key().cluster())
              .distinct()
              .forEach(author -> features.add(author(access, author)));
          providers.forEach(provider -> features.add(exports(access, provider)));
          return new RightsMonitor.Needs(
              List.of(
                  own.following(
                      own.content("create"),
                      own.content("update"),
                      own.content("get"),
                      own.content("delete"))),
              parents(access, providers),
              features);
        },
        SystemTime.scheduler());
  }

  @Bean("rights")
  RightsHealth rightsHealth(RightsMonitor monitor, MeterRegistry metrics) {
    return new RightsHealth(monitor, metrics, "mooring.dependency.controller.rights.missing");
  }

  private static List<Need> features(DependencyWorkspace own, ControllerProperties properties) {
    String namespace = properties.leaseNamespace();
    var needs = new ArrayList<Need>();
    needs.add(own.secrets(namespace, "", "create"));
    needs.add(own.secrets(namespace, ReviewKeys.SECRET, "get", "update"));
    if (properties.leaderElection()) {
      needs.add(own.leases(namespace, "get", "create", "update"));
    }
    if (properties.endpointAuth()) {
      needs.add(own.reviewingCallers());
    }
    return needs;
  }

  /** Only of providers that take part: a rule may name any workspace, also a stranger's. */
  private static SortedMap<String, List<Need>> parents(
      WorkspaceAccess access, SortedSet<WorkspacePath> providers) {
    var needs = new TreeMap<String, List<Need>>();
    var parents = new HashMap<WorkspacePath, Need>();
    for (WorkspacePath provider : providers) {
      provider
          .parent()
          .map(parent -> parents.computeIfAbsent(parent, at -> children(access, at)))
          .ifPresent(need -> needs.put(provider.value(), List.of(need)));
    }
    return needs;
  }

  private static Need children(WorkspaceAccess access, WorkspacePath parent) {
    return new Need(
        "workspace " + parent,
        access.client(parent),
        List.of(
            Right.to("list", "tenancy.kcp.io", "workspaces"),
            Right.to("watch", "tenancy.kcp.io", "workspaces")),
        MANIFESTS + "rbac-parent-workspace.yaml");
  }

  /** Without it rules count, with the condition AuthorityUnknown. */
  private static Need exports(WorkspaceAccess access, WorkspacePath provider) {
    return new Need(
        "workspace " + provider, access.client(provider), read("apiexports"), PROVIDERS);
  }

  private static Need author(WorkspaceAccess access, LogicalCluster author) {
    var rights = new ArrayList<>(read("apiexports"));
    rights.addAll(read("apiresourceschemas"));
    return new Need("logical cluster " + author, access.client(author), rights, PROVIDERS);
  }

  private static List<Right> read(String resource) {
    return List.of(
        Right.to("list", "apis.kcp.io", resource), Right.to("watch", "apis.kcp.io", resource));
  }
}
