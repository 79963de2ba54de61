package dev.mooring.runtime.export;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.watch.Informer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** One URL of an APIExport's virtual workspace: the informers there, one for each type. */
record Endpoint(Map<ResourceType, Informer> informers) implements AutoCloseable {
  static final ResourceType BINDINGS = new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  Endpoint {
    informers = Map.copyOf(informers);
  }

  Informer of(ResourceType type) {
    return informers.get(type);
  }

  boolean binds(LogicalCluster cluster) {
    return !of(BINDINGS).cache().inCluster(cluster).isEmpty();
  }

  UnlistedEndpoint.View view() {
    Informer bindings = of(BINDINGS);
    return new UnlistedEndpoint.View(
        bindings.isSynced(), waitsFor().isEmpty(), bindings.cache().keys());
  }

  /** A type that has not been listed yet; empty if all have. */
  Optional<Informer> waitsFor() {
    return informers.values().stream().filter(informer -> !informer.isSynced()).findFirst();
  }

  Map<String, Object> describe(ExportRights rights) {
    var held = new LinkedHashMap<String, Object>();
    informers.forEach((type, informer) -> held.put(type.qualified(), describe(informer, rights)));
    return held;
  }

  @Override
  public void close() {
    informers.values().forEach(Informer::close);
  }

  private static Map<String, Object> describe(Informer informer, ExportRights rights) {
    var status = informer.status();
    var described = new LinkedHashMap<String, Object>();
    described.put("synced", status.synced());
    described.put("connected", status.connected());
    described.put("objects", status.objects());
    status.lastHeard().ifPresent(heard -> described.put("lastHeard", heard.toString()));
    status
        .lastFailure()
        .map(failure -> rights.explain(informer.spec().type(), failure))
        .ifPresent(why -> described.put("lastFailure", why));
    return described;
  }
}
