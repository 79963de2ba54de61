package dev.mooring.sandbox.kcp.export.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.validation.SelectorRules;
import dev.mooring.sandbox.kcp.object.decide.Conditions;
import dev.mooring.sandbox.kcp.object.decide.Conditions.Severity;
import dev.mooring.sandbox.kcp.object.decide.ExportReference;
import dev.mooring.sandbox.selector.LabelSelector;
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

  /** The partition that a slice names. */
  public sealed interface Partition {
    /** The slice names none: all shards. */
    record All() implements Partition {}

    record Found(KubeObject object) implements Partition {}

    record Missing(String name) implements Partition {}
  }

  /**
   * What a shard has to do with a slice.
   *
   * @param labels of its Shard object
   * @param url of the export's virtual workspace at it
   * @param consumers whether a workspace on it has bound the export
   */
  public record ShardFacts(Map<String, String> labels, String url, Consumers consumers) {}

  /** Workspaces on a shard that have bound an export. */
  public enum Consumers {
    NONE,
    SOME
  }

  /**
   * The slice with its conditions, which its own shard writes before any shard enters its URL;
   * equal to what it is if nothing is to be written.
   *
   * @param export empty if the slice refers to nothing
   */
  public static KubeObject validated(
      KubeObject slice, Optional<KubeObject> export, Partition partition, String now) {
    if (export.isEmpty()) {
      return Conditions.unmet(
              slice,
              Conditions.EXPORT_VALID,
              Severity.ERROR,
              "APIExportNotFound",
              "Error getting APIExport " + qualified(slice, ExportReference.ofSlice(slice)),
              now)
          .without("status", "endpoints");
    }
    KubeObject valid = Conditions.met(slice, Conditions.EXPORT_VALID, now);
    return switch (partition) {
      case Partition.All() -> selecting(valid, LabelSelector.EVERYTHING, now);
      case Partition.Found(KubeObject found) -> {
        Object selector = found.at("spec", "selector");
        yield SelectorRules.obstacle(selector)
            .map(obstacle -> withoutPartition(valid, obstacle, now))
            .orElseGet(() -> selecting(valid, LabelSelector.of(selector), now));
      }
      case Partition.Missing(String name) ->
          withoutPartition(valid, "partition.topology.kcp.io \"" + name + "\" not found", now);
    };
  }

  private static KubeObject withoutPartition(KubeObject slice, String why, String now) {
    return Conditions.unmet(
            slice, PARTITION_VALID, Severity.ERROR, "PartitionInvalidReference", why, now)
        .without("status", "endpoints");
  }

  /** What a slice refers to, as kcp's messages have it. */
  private static String qualified(KubeObject slice, ExportReference reference) {
    String path =
        reference.path().isEmpty()
            ? slice.logicalCluster().map(LogicalCluster::name).orElse("")
            : reference.path();
    return path + "|" + reference.name();
  }

  private static KubeObject selecting(KubeObject slice, LabelSelector shards, String now) {
    KubeObject valid = Conditions.met(slice, PARTITION_VALID, now);
    String text = shards.toString();
    return text.isEmpty()
        ? valid.without("status", "shardSelector")
        : valid.with(text, "status", "shardSelector");
  }

  /**
   * The slice once a shard has entered or removed its own URL; equal to what it is if nothing is to
   * be written. A shard with consumers that leaves the partition leaves its URL, as in kcp.
   */
  public static KubeObject entered(KubeObject slice, ShardFacts shard) {
    if (!isValid(slice)) {
      return slice;
    }
    var urls = new ArrayList<String>();
    for (Object endpoint : slice.list("status", "endpoints")) {
      urls.add(Trees.text(endpoint, "url"));
    }
    boolean changed =
        switch (shard.consumers) {
          case NONE -> urls.remove(shard.url);
          case SOME ->
              LabelSelector.parse(slice.text("status", "shardSelector")).matches(shard.labels)
                  && !urls.contains(shard.url)
                  && urls.add(shard.url);
        };
    if (!changed) {
      return slice;
    }
    return urls.isEmpty()
        ? slice.without("status", "endpoints")
        : slice.with(
            urls.stream().<Object>map(url -> Map.of("url", url)).toList(), "status", "endpoints");
  }

  private static boolean isValid(KubeObject slice) {
    List<Object> conditions = slice.list("status", "conditions");
    return !conditions.isEmpty()
        && conditions.stream().allMatch(condition -> "True".equals(Trees.at(condition, "status")));
  }
}
