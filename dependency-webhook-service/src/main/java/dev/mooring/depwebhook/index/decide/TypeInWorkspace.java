package dev.mooring.depwebhook.index.decide;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ResourceType;

/**
 * A type as one workspace serves it.
 *
 * @param type with its version: another version may be another type of that name
 */
public record TypeInWorkspace(LogicalCluster cluster, ResourceType type) {
  @Override
  public String toString() {
    return type + " in logical cluster " + cluster;
  }
}
