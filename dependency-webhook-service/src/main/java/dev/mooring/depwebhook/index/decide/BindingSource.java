package dev.mooring.depwebhook.index.decide;

import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.List;
import java.util.Optional;

/**
 * The APIBinding that brings a type to a workspace, as it was read. kcp keeps a watch on the schema
 * and identity with which it began, without an error: after the binding has changed, the watch
 * lacks new fields, or shows objects of the old identity only. So an index ends with any change of
 * its binding.
 *
 * @param version the binding's resource version, which every write changes, a re-creation too
 */
public record BindingSource(String binding, String version) {
  /** No binding: the workspace's own type, a built-in one, or none. Their changes end watches. */
  public static final BindingSource NONE = new BindingSource("", "");

  /** At most one binding brings a type. */
  public static BindingSource among(List<KubeObject> bindings, ResourceType type) {
    return bindings.stream()
        .map(binding -> by(binding, type))
        .flatMap(Optional::stream)
        .findFirst()
        .orElse(NONE);
  }

  /** Empty if this binding does not bring the type, or not yet. */
  public static Optional<BindingSource> by(KubeObject binding, ResourceType type) {
    return Binding.of(binding).bound().contains(GroupResource.of(type))
        ? Optional.of(new BindingSource(binding.name(), binding.resourceVersion()))
        : Optional.empty();
  }
}
