package dev.mooring.sandbox.kcp.export.decide;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an APIExportEndpointSlice says: the URLs of the export's virtual workspaces, one for each
 * shard on which a workspace has bound the export.
 */
public final class EndpointSlicePlanner {
  private static final ResourceType SLICES =
      new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");
  static final String PARTITION_VALID = "PartitionValid";

  private EndpointSlicePlanner() {}

  /** The slice that every export gets, owned by it. */
  public static KubeObject forExport(KubeObject export, String path) {
    Map<String, Object> owner =
        Map.of(
            "apiVersion",
            "apis.kcp.io/v1alpha1",
            "kind",
            "APIExport",
            "name",
            export.name(),
            "uid",
            export.uid());
    return KubeObject.of(SLICES, "APIExportEndpointSlice", "", export.name())
        .with(List.of(owner), "metadata", "ownerReferences")
        .with(new ExportReference(path, export.name()).tree(), "spec", "export");
  }

  /**
   * The slice after the next write to it; equal to what it is if nothing is to be written. First
   * come the conditions, then each shard enters or removes its own URL, one after the other: a
   * slice that was just made has no endpoints, then those of some shards.
   *
   * @param export empty if the slice refers to nothing
   * @param urls of the virtual workspaces, in order
   */
  public static KubeObject settled(
      KubeObject slice, Optional<KubeObject> export, List<String> urls, String now) {
    if (export.isEmpty()) {
      ExportReference reference = ExportReference.ofSlice(slice);
      return Conditions.unmet(
              slice,
              Conditions.EXPORT_VALID,
              Severity.ERROR,
              "APIExportNotFound",
              "Error getting APIExport " + reference.path() + "|" + reference.name(),
              now)
          .without("status", "endpoints");
    }
    KubeObject after = Conditions.met(slice, Conditions.EXPORT_VALID, now);
    after = Conditions.met(after, PARTITION_VALID, now);
    return after.equals(slice) ? withNextUrl(slice, urls) : after;
  }

  private static KubeObject withNextUrl(KubeObject slice, List<String> urls) {
    var entered = new ArrayList<String>();
    for (Object endpoint : slice.list("status", "endpoints")) {
      entered.add(Trees.text(endpoint, "url"));
    }
    if (!entered.removeIf(url -> !urls.contains(url))) {
      urls.stream().filter(url -> !entered.contains(url)).findFirst().ifPresent(entered::add);
    }
    return entered.isEmpty()
        ? slice.without("status", "endpoints")
        : slice.with(
            entered.stream().<Object>map(url -> Map.of("url", url)).toList(),
            "status",
            "endpoints");
  }
}
