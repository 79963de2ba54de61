package dev.mooring.sandbox.kcp.binding;

import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceCatalog;
import dev.mooring.sandbox.controller.LoopbackClient;
import dev.mooring.sandbox.kcp.binding.decide.BindingPlanner;
import dev.mooring.sandbox.kcp.claim.decide.ClaimedResource;
import dev.mooring.sandbox.kcp.export.ExportResolver;
import dev.mooring.sandbox.kcp.object.KcpResources;
import java.util.function.Predicate;

/**
 * Which types any workspace of the shard serves, or an export of any shard has: claims of others
 * cannot be applied.
 */
public record ServedTypes(LoopbackClient objects, ResourceCatalog catalog, ExportResolver exports)
    implements Predicate<ClaimedResource> {
  @Override
  public boolean test(ClaimedResource claimed) {
    String qualified = claimed.described();
    return catalog.all(KcpResources.ROOT).stream()
            .map(definition -> definition.type().resource() + "." + definition.type().group())
            .anyMatch(qualified::equals)
        || objects.everywhere(KcpResources.CRDS).stream()
            .anyMatch(crd -> crd.key().name().equals(qualified))
        || objects.everywhere(KcpResources.BINDINGS).stream()
            .anyMatch(
                binding -> BindingPlanner.boundResources(binding.object()).containsKey(qualified))
        || !claimed.identityHash().isEmpty()
            && exports.withIdentity(claimed.identityHash()).stream()
                .flatMap(export -> export.list("spec", "resources").stream())
                .anyMatch(exported -> isOf(exported, claimed));
  }

  private static boolean isOf(Object exported, ClaimedResource claimed) {
    return Trees.text(exported, "name").equals(claimed.resource())
        && Trees.text(exported, "group").equals(claimed.group());
  }
}
