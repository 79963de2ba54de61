package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;

/** The schema that the export lists for a type before the wanted one does. */
public sealed interface ListedSchema {
  /** None, or it is the wanted one. */
  record None() implements ListedSchema {}

  record Found(KubeObject schema) implements ListedSchema {}

  /**
   * The export names it, and it does not exist: what stored objects look like cannot be said.
   * Workspaces that have bound the export go on with what they took from it.
   */
  record Gone(String name) implements ListedSchema {}
}
