package dev.mooring.syncagent.published;

/** Who writes the APIResourceSchema of a type, and lists it in the APIExport. */
public enum Publishing {
  /** The agent. */
  MANAGED,
  /** Others, such as Argo CD or Flux from Git. The agent reads both and writes neither. */
  EXTERNAL
}
