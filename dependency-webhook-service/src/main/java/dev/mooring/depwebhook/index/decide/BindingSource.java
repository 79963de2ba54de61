package dev.mooring.depwebhook.index.decide;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Optional;

/**
 * Where a workspace has the objects of a type from, as its APIBindings say. kcp serves a watch from
 * where it began and by the schema with which it began, for as long as it lasts: once the binding
 * has moved, it ends no sooner, lacks fields that only the new schema knows, or shows objects of
 * the old identity only.
 */
public sealed interface BindingSource {
  /**
   * By no binding: the workspace's own type, one that every workspace has, or none. What changes
   * those also ends their watches.
   */
  record Unbound() implements BindingSource {}

  /**
   * By a binding.
   *
   * @param binding its name
   * @param uid its own; one that was made anew may be of another export
   * @param schema the uid of the APIResourceSchema
   * @param identity of the export
   * @param version of the binding: one that has moved and come back is not as it was
   */
  record Bound(String binding, String uid, String schema, String identity, String version)
      implements BindingSource {}

  /** A type comes by one binding at most. */
  static BindingSource among(List<KubeObject> bindings, ResourceType type) {
    return bindings.stream()
        .map(binding -> by(binding, type))
        .flatMap(Optional::stream)
        .findFirst()
        .orElseGet(Unbound::new);
  }

  /** By this very binding; empty if it does not bind the type, or not yet. */
  static Optional<BindingSource> by(KubeObject binding, ResourceType type) {
    return binding.list("status", "boundResources").stream()
        .filter(entry -> type.group().equals(Trees.textOrEmpty(Trees.at(entry, "group"))))
        .filter(entry -> type.resource().equals(Trees.textOrEmpty(Trees.at(entry, "resource"))))
        .<BindingSource>map(entry ->
            new Bound(
                binding.name(),
                binding.uid(),
                Trees.textOrEmpty(Trees.at(entry, "schema", "UID")),
                Trees.textOrEmpty(Trees.at(entry, "schema", "identityHash")),
                binding.resourceVersion()))
        .findFirst();
  }
}
