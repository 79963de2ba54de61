package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.SchemaChange;
import dev.mooring.syncagent.published.SchemaDifferences;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A type whose APIResourceSchema and APIExport others write, from Git: how both compare with what
 * the service cluster serves. The agent writes neither.
 *
 * @param listed the schema by which the export serves the type
 */
record ExternalPublication(Publication.Ready ready, KubeObject export, ListedSchema listed) {
  static final String NOT_LISTED = "SchemaNotListed";
  static final String NOT_FOUND = "SchemaNotFound";

  /** What keeps the type from being served, by the reason of a condition. */
  record Lack(String reason, String message) {}

  /** The type as consumers are served it; empty if it cannot be synced. */
  Optional<ProjectedSchema> serving() {
    return listed instanceof ListedSchema.Found(var schema)
        ? ready.schema().servedBy(schema)
        : Optional.empty();
  }

  /** Empty if the export lists a schema of the type that exists. */
  Optional<Lack> lack() {
    return switch (listed) {
      case ListedSchema.None() ->
          Optional.of(
              new Lack(
                  NOT_LISTED,
                  "APIExport %s lists no APIResourceSchema of %s. %s"
                      .formatted(
                          export.name(), ready.schema().inKcp().resource().qualified(), remedy())));
      case ListedSchema.Gone(var name) ->
          Optional.of(
              new Lack(
                  NOT_FOUND,
                  "APIExport %s lists APIResourceSchema %s, which does not exist. %s"
                      .formatted(export.name(), name, remedy())));
      case ListedSchema.Found _ -> Optional.empty();
    };
  }

  /** How the schema differs from the service cluster's type; empty if it does not. */
  Optional<String> drift() {
    if (!(listed instanceof ListedSchema.Found(var schema))) {
      return Optional.empty();
    }
    List<SchemaChange> differences =
        SchemaDifferences.between(schema.map("spec"), ready.schema().spec());
    return differences.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("APIResourceSchema %s is not what the service cluster serves. %s"
                    + " Differences: %s.")
                .formatted(schema.name(), remedy(), SchemaStep.named(differences)));
  }

  /** Why copies of objects that the schema accepts may be refused; empty if none are. */
  Optional<String> incompatibility() {
    if (!(listed instanceof ListedSchema.Found(var schema))) {
      return Optional.empty();
    }
    List<SchemaChange> changes = SchemaChange.breaking(schema.map("spec"), ready.schema().spec());
    return changes.isEmpty()
        ? Optional.empty()
        : Optional.of(
            ("Objects that APIResourceSchema %s accepts may be refused by the service"
                    + " cluster, or lose fields there: %s.")
                .formatted(schema.name(), SchemaStep.named(changes)));
  }

  /** The claims to add to the export; empty if it has all that the type needs. */
  Optional<String> missingClaims() {
    List<ExportMerge.Claim> missing = ExportMerge.missingClaims(export, ready.published());
    return missing.isEmpty()
        ? Optional.empty()
        : Optional.of(
            "APIExport %s lacks permission claims. Add to spec.permissionClaims: %s."
                .formatted(
                    export.name(),
                    missing.stream()
                        .distinct()
                        .map(ExternalPublication::entry)
                        .collect(Collectors.joining(", "))));
  }

  private static String entry(ExportMerge.Claim claim) {
    return "{group: \"%s\", resource: %s%s, verbs: [\"*\"]}"
        .formatted(
            claim.group(),
            claim.resource(),
            claim.identityHash().isEmpty() ? "" : ", identityHash: " + claim.identityHash());
  }

  /** The first problem, for an event; empty if there is none. */
  Optional<String> problem() {
    return lack().map(Lack::message).or(this::drift).or(this::missingClaims);
  }

  private String remedy() {
    return ("Run mooring render with PublishedResource %s and its CustomResourceDefinition,"
            + " commit APIResourceSchema %s and the APIExport, and apply both.")
        .formatted(ready.published().name(), ready.schema().schemaName());
  }
}
