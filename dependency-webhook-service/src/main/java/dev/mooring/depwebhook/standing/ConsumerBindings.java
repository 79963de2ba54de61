package dev.mooring.depwebhook.standing;

import dev.mooring.depwebhook.standing.decide.Binding;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reads a consumer's APIBindings as they are now. Which binding explains a type is remembered by
 * name only, to read that one alone next time: a list right after a write waits in kcp, a read of
 * one object does not. Thread-safe.
 */
final class ConsumerBindings {
  /** More types in more workspaces than are judged in a while. */
  static final int REMEMBERED_MAX = 20_000;

  private final Map<Place, String> names =
      new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Place, String> eldest) {
          return size() > REMEMBERED_MAX;
        }
      };

  private record Place(LogicalCluster cluster, GroupResource type) {}

  /**
   * Those that explain these types, or, where one of them is not explained by what was remembered,
   * all.
   */
  List<Binding> explaining(
      KubeReader workspace, LogicalCluster cluster, List<GroupResource> types) {
    var found = new ArrayList<Binding>();
    for (GroupResource type : types) {
      Optional<Binding> remembered = remembered(workspace, cluster, type);
      if (remembered.isEmpty()) {
        return all(workspace, cluster);
      }
      found.add(remembered.get());
    }
    return found;
  }

  private Optional<Binding> remembered(
      KubeReader workspace, LogicalCluster cluster, GroupResource type) {
    String name;
    synchronized (names) {
      name = names.get(new Place(cluster, type));
    }
    return name == null
        ? Optional.empty()
        : workspace
            .find(Binding.TYPE, "", name)
            .map(Binding::of)
            .filter(binding -> binding.bound().contains(type));
  }

  List<Binding> all(KubeReader workspace, LogicalCluster cluster) {
    List<Binding> all =
        workspace.list(Binding.TYPE, ListQuery.ALL).items().stream().map(Binding::of).toList();
    synchronized (names) {
      for (Binding binding : all) {
        binding.bound().forEach(type -> names.put(new Place(cluster, type), binding.name()));
      }
    }
    return all;
  }
}
