package dev.mooring.sandbox.api;

/** Whether a resource's objects live in namespaces. */
public enum Scope {
  NAMESPACED,
  CLUSTER
}
