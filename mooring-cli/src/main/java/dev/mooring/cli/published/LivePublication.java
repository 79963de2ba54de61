package dev.mooring.cli.published;

import dev.mooring.cli.live.Lists;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.ListQuery;
import dev.mooring.syncagent.publish.ServedTypes;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.PublishedResource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** PublishedResources of a service cluster, and what the agent makes of them. */
public final class LivePublication {
  private static final Comparator<KubeObject> BY_AGE =
      Comparator.comparing((KubeObject object) -> object.text("metadata", "creationTimestamp"))
          .thenComparing(KubeObject::name);

  private LivePublication() {}

  /** Those that a label selector selects, oldest first. */
  public static List<KubeObject> selected(KubeClient service, String selector) {
    return Lists.all(service, PublishedResource.TYPE, ListQuery.ALL.withLabels(selector)).stream()
        .map(object -> object.with(PublishedResource.KIND, "kind"))
        .sorted(BY_AGE)
        .toList();
  }

  /**
   * @param crds in which its type is looked for first
   */
  public static Publication of(
      KubeObject resource, List<KubeObject> crds, KubeClient service, String defaultGroup) {
    String group = resource.text("spec", "resource", "apiGroup");
    String kind = resource.text("spec", "resource", "kind");
    Optional<KubeObject> crd =
        crds.stream()
            .filter(each ->
                each.text("spec", "group").equals(group)
                    && each.text("spec", "names", "kind").equals(kind))
            .findFirst()
            .or(() -> new ServedTypes(service).find(group, kind));
    return Publication.of(resource, crd, defaultGroup);
  }
}
