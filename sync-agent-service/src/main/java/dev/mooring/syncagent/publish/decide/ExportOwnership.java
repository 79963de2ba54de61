package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whose an APIExport is, by the agent's name that it carries. One that carries another's is never
 * written: two agents that both had their way would undo each other's writes without end.
 */
final class ExportOwnership {
  static final String ANOTHER_AGENTS = "AnotherAgentsExport";

  /** Longer names were not written by an agent. */
  private static final int NAME_MAX = 253;

  private ExportOwnership() {}

  /** Why the agent may not write to the export, and what to do; empty if it may. */
  static Optional<String> notice(KubeObject export, String agent) {
    return export
        .annotation(SyncMarks.AGENT_NAME)
        .filter(name -> !name.isEmpty() && !name.equals(agent))
        .map(name ->
            ("APIExport %1$s carries the name of agent %2$s, so agent %3$s writes nothing to"
                    + " it. Give each agent an APIExport of its own; if that agent is no more:"
                    + " kubectl annotate apiexport %1$s %4$s-")
                .formatted(
                    export.name(),
                    name.length() <= NAME_MAX ? name : name.substring(0, NAME_MAX) + "…",
                    agent,
                    SyncMarks.AGENT_NAME));
  }

  /** What the export lacks, for people; empty if it has all that the published type needs. */
  static Optional<String> lack(
      KubeObject export, PublishedResource published, ProjectedSchema schema) {
    var lacking = new ArrayList<String>();
    if (!ExportMerge.listed(export, schema).equals(Optional.of(schema.schemaName()))) {
      lacking.add("APIResourceSchema " + schema.schemaName());
    }
    List<ExportMerge.Claim> claims = ExportMerge.missingClaims(export, published);
    if (!claims.isEmpty()) {
      lacking.add("the permission claims on " + ExportMerge.Claim.named(claims));
    }
    return lacking.isEmpty() ? Optional.empty() : Optional.of(String.join(" and ", lacking));
  }
}
