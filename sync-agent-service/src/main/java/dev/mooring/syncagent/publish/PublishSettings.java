package dev.mooring.syncagent.publish;

import dev.mooring.syncagent.published.Publishing;
import java.util.Map;
import java.util.Set;

/**
 * What the agent's configuration says about publishing.
 *
 * @param endpointSlice name of the APIExportEndpointSlice
 * @param defaultGroup API group in kcp where a projection has none; empty keeps the CRD's
 * @param publishing of PublishedResources that say nothing about it
 * @param exportAnnotations put on the APIExport, such as a title for catalogs
 * @param disabled parts that another process runs
 */
public record PublishSettings(
    String agentName,
    String endpointSlice,
    String defaultGroup,
    Publishing publishing,
    Map<String, String> exportAnnotations,
    Set<Part> disabled) {
  /** Who does a part of the work; the Go agent has a controller for each. */
  public enum Part {
    /** Makes APIResourceSchemas and reports on PublishedResources. */
    APIRESOURCESCHEMA,
    /** Lists schemas and claims in the APIExport. */
    APIEXPORT,
    /** Keeps objects in step. */
    SYNC
  }

  public PublishSettings {
    disabled = Set.copyOf(disabled);
    exportAnnotations = Map.copyOf(exportAnnotations);
  }
}
