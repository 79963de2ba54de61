package dev.mooring.syncagent.publish;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.syncagent.publish.decide.ServedDefinition;
import dev.mooring.syncagent.publish.decide.ServedDefinition.ServedVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Types of the service cluster that have no CRD. Only the requested group is read, so that another
 * group's broken API server does no harm. Thread-safe.
 */
public record ServedTypes(KubeReader service) {
  /** Empty only if the service cluster said that it serves no such kind. */
  public Optional<KubeObject> find(String group, String kind) {
    Optional<KubeObject> about = group.isEmpty() ? Optional.empty() : document("apis/" + group);
    if (about.isEmpty() && !group.isEmpty()) {
      return Optional.empty();
    }
    var found = new ArrayList<ServedVersion>();
    for (String version : about.map(ServedTypes::versions).orElse(List.of("v1"))) {
      String path = group.isEmpty() ? "api/" + version : "apis/" + group + "/" + version;
      Optional<KubeObject> resources =
          document(path)
              .filter(list ->
                  list.list("resources").stream()
                      .anyMatch(resource -> kind.equals(Trees.at(resource, "kind"))));
      if (resources.isPresent()) {
        document("openapi/v3/" + path)
            .ifPresent(openApi -> found.add(new ServedVersion(version, resources.get(), openApi)));
      }
    }
    String preferred = about.map(g -> g.text("preferredVersion", "version")).orElse("v1");
    return ServedDefinition.of(group, kind, preferred, found);
  }

  private static List<String> versions(KubeObject group) {
    return group.list("versions").stream()
        .map(version -> Trees.text(version, "version"))
        .filter(version -> !version.isEmpty())
        .toList();
  }

  private Optional<KubeObject> document(String path) {
    try {
      return Optional.of(service.document(path));
    } catch (KubeFailure e) {
      if (e.isAbsent()) {
        return Optional.empty();
      }
      throw e;
    }
  }
}
