package dev.mooring.depwebhook;

import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.FieldMask;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeList;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListEnd;
import dev.mooring.runtime.client.ListQuery;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A workspace whose APIBindings are read from another fake, so that requests and failures of the
 * two can be distinguished.
 */
public record SeparateBindings(KubeReader workspace, KubeReader bindings) implements KubeReader {
  @Override
  public Optional<KubeObject> find(ResourceType type, String namespace, String name) {
    return of(type).find(type, namespace, name);
  }

  @Override
  public KubeList list(ResourceType type, ListQuery query) {
    return of(type).list(type, query);
  }

  @Override
  public Optional<ListEnd> scan(
      ResourceType type, ListQuery query, FieldMask keep, Predicate<KubeObject> each) {
    return of(type).scan(type, query, keep, each);
  }

  @Override
  public KubeObject document(String path) {
    return workspace.document(path);
  }

  private KubeReader of(ResourceType type) {
    return type.equals(Binding.TYPE) ? bindings : workspace;
  }
}
