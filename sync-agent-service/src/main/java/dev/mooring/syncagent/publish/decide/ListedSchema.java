package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;

/**
 * The schema that the export lists for a type before the wanted one does; in an export that the
 * agent only reads, whichever it lists.
 */
public sealed interface ListedSchema {
  /** None, or it is the wanted one, which the agent knows. */
  record None() implements ListedSchema {}

  record Found(KubeObject schema) implements ListedSchema {}

  /**
   * The export names it, and it does not exist: what stored objects look like cannot be said.
   * Workspaces that have bound the export go on with what they took from it.
   */
  record Gone(String name) implements ListedSchema {}
}
