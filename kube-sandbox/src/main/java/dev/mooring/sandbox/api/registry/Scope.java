package dev.mooring.sandbox.api.registry;

/** Whether a resource's objects live in namespaces. */
public enum Scope {
  NAMESPACED,
  CLUSTER
}
