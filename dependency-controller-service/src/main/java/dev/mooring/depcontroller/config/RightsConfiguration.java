package dev.mooring.depcontroller.config;

import dev.mooring.depcontroller.control.DependencyController;
import dev.mooring.depcontroller.workspace.WorkspaceAccess;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.access.RightsMonitor;
import dev.mooring.runtime.access.RightsReviewer.Need;
import dev.mooring.runtime.access.RightsReviewer.Right;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.spring.RightsHealth;
import dev.mooring.runtime.time.SystemTime;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Which rights the controller needs, where, and by which manifest it gets them. */
@Configuration(proxyBeanMethods = false)
class RightsConfiguration {
  private static final String MANIFESTS = "charts/mooring/kcp/";

  @Bean(destroyMethod = "close")
  RightsMonitor rightsMonitor(
      KubeConnection kcp, ControllerProperties properties, DependencyController controller) {
    var access = new WorkspaceAccess(kcp, properties.kcpBaseHost());
    return RightsMonitor.start(
        () ->
            new RightsMonitor.Needs(
                own(kcp, properties.apiExportName()), atProviders(access, controller)),
        SystemTime.scheduler());
  }

  @Bean("rights")
  RightsHealth rightsHealth(RightsMonitor monitor, MeterRegistry metrics) {
    return new RightsHealth(monitor, metrics, "mooring.dependency.controller.rights.missing");
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
                new Right("watch", "apis.kcp.io", "apiexports/content", export),
                new Right("create", "apis.kcp.io", "apiexports/content", export),
                new Right("update", "apis.kcp.io", "apiexports/content", export)),
            MANIFESTS + "rbac-dependency-workspace.yaml"));
  }

  private static SortedMap<String, List<Need>> atProviders(
      WorkspaceAccess access, DependencyController controller) {
    var needs = new TreeMap<String, List<Need>>();
    for (WorkspacePath provider : controller.overview().resolutions().keySet()) {
      var of = new ArrayList<Need>();
      provider
          .parent()
          .ifPresent(parent ->
              of.add(
                  new Need(
                      "workspace " + parent,
                      access.client(parent),
                      List.of(
                          new Right("list", "tenancy.kcp.io", "workspaces", ""),
                          new Right("watch", "tenancy.kcp.io", "workspaces", "")),
                      MANIFESTS + "rbac-parent-workspace.yaml")));
      of.add(
          new Need(
              "workspace " + provider,
              access.client(provider),
              List.of(
                  new Right("list", "apis.kcp.io", "apiexports", ""),
                  new Right("watch", "apis.kcp.io", "apiexports", "")),
              MANIFESTS + "rbac-provider-workspace.yaml"));
      needs.put(provider.value(), of);
    }
    return needs;
  }
}
