package dev.mooring.sandbox.kcp;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.RenamingConverter;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceNames;
import dev.mooring.sandbox.api.registry.Scope;
import dev.mooring.sandbox.kcp.api.CustomResourceFactory;
import dev.mooring.sandbox.storage.ResourceKey;
import java.util.ArrayList;
import java.util.List;

/** Serves custom resources as they come, without looking at their schemas. */
final class PlainResources implements CustomResourceFactory {
  @Override
  public List<ResourceDefinition> define(KubeObject crd, String identity) {
    String group = crd.text("spec", "group");
    String plural = crd.text("spec", "names", "plural");
    String kind = crd.text("spec", "names", "kind");
    Scope scope = crd.text("spec", "scope").equals("Namespaced") ? Scope.NAMESPACED : Scope.CLUSTER;
    String stored = group + "/" + storedVersion(crd);
    var definitions = new ArrayList<ResourceDefinition>();
    for (Object version : crd.list("spec", "versions")) {
      var type = new ResourceType(group, Trees.textOrEmpty(Trees.at(version, "name")), plural);
      definitions.add(
          ResourceDefinition.define(type, ResourceNames.of(plural, kind), scope)
              .origin(ResourceDefinition.Origin.CUSTOM)
              .resourceKey(new ResourceKey(group, plural, identity))
              .converter(new RenamingConverter(type.apiVersion(), stored))
              .build());
    }
    return definitions;
  }

  private static String storedVersion(KubeObject crd) {
    return crd.list("spec", "versions").stream()
        .filter(version -> Boolean.TRUE.equals(Trees.at(version, "storage")))
        .map(version -> Trees.textOrEmpty(Trees.at(version, "name")))
        .findFirst()
        .orElseThrow();
  }
}
