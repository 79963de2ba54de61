package dev.mooring.runtime.watch;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;

/**
 * What an informer holds.
 *
 * @param namespace empty for all
 * @param labelSelector empty for all objects
 * @param fieldSelector empty for all objects
 * @param indexes by name, each giving the values under which an object is found; must not fail
 */
public record InformerSpec(
    ResourceType type,
    String namespace,
    String labelSelector,
    String fieldSelector,
    Map<String, Function<KubeObject, ? extends Collection<String>>> indexes) {
  public InformerSpec {
    Objects.requireNonNull(type, "type");
    Objects.requireNonNull(namespace, "namespace");
    Objects.requireNonNull(labelSelector, "labelSelector");
    Objects.requireNonNull(fieldSelector, "fieldSelector");
    indexes = Map.copyOf(indexes);
  }

  /** Every object of the type. */
  public static InformerSpec of(ResourceType type) {
    return new InformerSpec(type, "", "", "", Map.of());
  }

  public InformerSpec inNamespace(String name) {
    return new InformerSpec(type, name, labelSelector, fieldSelector, indexes);
  }

  public InformerSpec withLabels(String selector) {
    return new InformerSpec(type, namespace, selector, fieldSelector, indexes);
  }

  public InformerSpec withFields(String selector) {
    return new InformerSpec(type, namespace, labelSelector, selector, indexes);
  }

  public InformerSpec indexedBy(
      String name, Function<KubeObject, ? extends Collection<String>> values) {
    var more = new LinkedHashMap<>(indexes);
    more.put(name, values);
    return new InformerSpec(type, namespace, labelSelector, fieldSelector, more);
  }
}
