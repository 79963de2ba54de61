package dev.mooring.syncagent.publish;

import java.util.Objects;

/**
 * What the agent's configuration says about publishing.
 *
 * @param endpointSlice name of the APIExportEndpointSlice
 * @param defaultGroup API group in kcp where a projection has none; empty keeps the CRD's
 */
public record PublishSettings(String agentName, String endpointSlice, String defaultGroup) {
  public PublishSettings {
    Objects.requireNonNull(agentName, "agentName");
    Objects.requireNonNull(endpointSlice, "endpointSlice");
    Objects.requireNonNull(defaultGroup, "defaultGroup");
  }
}
