package dev.mooring.depwebhook.eligibility.decide;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * What a consumer's APIBinding says about whose types its objects are of.
 *
 * @param exporter where the bound export is; empty until kcp has said so
 * @param export its name
 * @param bound the types that the consumer has by this binding
 * @param claims other types that the consumer lets the export's provider see
 */
public record Binding(
    String name,
    Optional<LogicalCluster> exporter,
    String export,
    Set<GroupResource> bound,
    Set<GroupResource> claims) {
  public static final ResourceType TYPE =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  public Binding {
    bound = Set.copyOf(bound);
    claims = Set.copyOf(claims);
  }

  public static Binding of(KubeObject binding) {
    var bound = new HashSet<GroupResource>();
    for (Object entry : binding.list("status", "boundResources")) {
      add(bound, entry);
    }
    var claims = new HashSet<GroupResource>();
    for (Object entry : binding.list("spec", "permissionClaims")) {
      if ("Accepted".equals(Trees.at(entry, "state"))) {
        add(claims, entry);
      }
    }
    return new Binding(
        binding.name(),
        LogicalCluster.parse(binding.text("status", "apiExportClusterName")),
        binding.text("spec", "reference", "export", "name"),
        bound,
        claims);
  }

  /** Whether it binds this very export; where kcp has not said whose it is, it may. */
  public boolean mayBindExport(LogicalCluster cluster, String name) {
    return export.equals(name) && exporter.map(cluster::equals).orElse(true);
  }

  private static void add(Set<GroupResource> types, Object entry) {
    String resource = Trees.text(entry, "resource");
    if (!resource.isEmpty()) {
      types.add(new GroupResource(Trees.text(entry, "group"), resource));
    }
  }
}
