package dev.mooring.depwebhook.eligibility;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.eligibility.decide.BindingQuery;
import dev.mooring.depwebhook.reading.PendingRead;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.client.ListQuery;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the APIBindings of a consumer, be it of a provider's types or of rules, as they are now.
 * Which binding it was is remembered by name only, to read that one alone next time: a list right
 * after a write waits in kcp, a read of one object does not. Thread-safe.
 */
final class BindingReader {
  /** More types in more workspaces than are judged in a while. */
  static final int REMEMBERED_MAX = 20_000;

  private final Cache<Place, String> names =
      CacheBuilder.newBuilder().maximumSize(REMEMBERED_MAX).build();

  private record Place(LogicalCluster cluster, BindingQuery sought) {}

  /** Those that were sought, or, where one of them is not what is remembered, all. */
  List<Binding> explaining(
      KubeReader workspace, LogicalCluster cluster, List<BindingQuery> sought) {
    Optional<Set<String>> remembered = remembered(cluster, sought);
    if (remembered.isPresent()) {
      List<Binding> found = named(workspace, remembered.get());
      if (sought.stream().allMatch(each -> found.stream().anyMatch(each::isIn))) {
        return found;
      }
    }
    List<Binding> all =
        workspace.list(Binding.TYPE, ListQuery.ALL).items().stream().map(Binding::of).toList();
    remember(cluster, all, sought);
    return all;
  }

  /** Empty if one is not known. */
  private Optional<Set<String>> remembered(LogicalCluster cluster, List<BindingQuery> sought) {
    var found = new TreeSet<String>();
    for (BindingQuery each : sought) {
      String name = names.getIfPresent(new Place(cluster, each));
      if (name == null) {
        return Optional.empty();
      }
      found.add(name);
    }
    return Optional.of(found);
  }

  /** Side by side. */
  private static List<Binding> named(KubeReader workspace, Set<String> names) {
    List<PendingRead<Optional<KubeObject>>> reads =
        names.stream()
            .map(name ->
                PendingRead.begin(
                    "APIBinding " + name, () -> workspace.find(Binding.TYPE, "", name)))
            .toList();
    return reads.stream()
        .map(PendingRead::result)
        .flatMap(Optional::stream)
        .map(Binding::of)
        .toList();
  }

  private void remember(LogicalCluster cluster, List<Binding> all, List<BindingQuery> sought) {
    for (Binding binding : all) {
      var these = new ArrayList<BindingQuery>(sought);
      these.removeIf(each -> !each.isIn(binding));
      binding.bound().stream().map(BindingQuery.Bound::new).forEach(these::add);
      these.forEach(each -> names.put(new Place(cluster, each), binding.name()));
    }
  }
}
