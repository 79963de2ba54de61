package dev.mooring.depwebhook.race.decide;

import dev.mooring.model.identity.ResourceType;

/**
 * One object that refers to a target in its own workspace, or is about to.
 *
 * @param type in the version in which its rule reads it
 * @param namespace empty for a cluster-scoped one
 * @param uid another object of the same name has another; empty if the review had none, and then
 *     nothing ever proves that it was created
 */
public record DependentId(ResourceType type, String namespace, String name, String uid) {
  /** {@code virtualmachines.compute.example.com default/vm1}. */
  @Override
  public String toString() {
    return type.qualified() + " " + (namespace.isEmpty() ? name : namespace + "/" + name);
  }
}
