package dev.mooring.sandbox.discovery;

import dev.mooring.model.identity.KubeVersions;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The resources of a logical cluster by group and version. Groups come in the order in which they
 * are first met, versions best first, resources by name.
 */
final class ServedGroups {
  private final Map<String, Map<String, List<ResourceDefinition>>> groups = new LinkedHashMap<>();

  ServedGroups(List<ResourceDefinition> definitions) {
    for (ResourceDefinition definition : definitions) {
      groups
          .computeIfAbsent(definition.type().group(), group -> new LinkedHashMap<>())
          .computeIfAbsent(definition.type().version(), version -> new ArrayList<>())
          .add(definition);
    }
  }

  /** All groups, the core group first. */
  Set<String> all() {
    var all = new LinkedHashSet<>(List.of(""));
    all.addAll(groups.keySet());
    return all;
  }

  /** All named groups; the core group is none. */
  Set<String> names() {
    var names = new LinkedHashSet<>(groups.keySet());
    names.remove("");
    return names;
  }

  /** Best first; empty for an unknown group. */
  List<String> versions(String group) {
    return groups.getOrDefault(group, Map.of()).keySet().stream()
        .sorted(KubeVersions.ASCENDING.reversed())
        .toList();
  }

  /** By name; empty for an unknown version. */
  List<ResourceDefinition> resources(String group, String version) {
    return groups.getOrDefault(group, Map.of()).getOrDefault(version, List.of()).stream()
        .sorted(Comparator.comparing(definition -> definition.type().resource()))
        .toList();
  }

  /** Whether the group is one that the server was built with. */
  boolean builtIn(String group) {
    return groups.getOrDefault(group, Map.of()).values().stream()
        .flatMap(List::stream)
        .anyMatch(definition -> definition.origin() == ResourceDefinition.Origin.BUILT_IN);
  }
}
