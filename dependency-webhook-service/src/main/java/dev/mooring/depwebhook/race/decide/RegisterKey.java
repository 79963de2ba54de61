package dev.mooring.depwebhook.race.decide;

import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;

/**
 * Which page of the register: all targets of one type and name in one consumer's workspace. The
 * namespace is no part of it, because not every reference says one; records carry it.
 */
public record RegisterKey(LogicalCluster cluster, GroupResource type, String name) {
  /** For people: {@code <cluster> <type> <name>}. Nothing in a part of it is a space. */
  @Override
  public String toString() {
    return cluster + " " + type + " " + name;
  }
}
