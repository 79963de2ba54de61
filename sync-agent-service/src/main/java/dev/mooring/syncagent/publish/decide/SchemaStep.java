package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.syncagent.published.ProjectedSchema;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.SchemaChange;
import dev.mooring.syncagent.published.SyncMarks;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What it means for stored objects that the wanted schema takes the listed one's place. */
sealed interface SchemaStep {
  /** More would hide what is asked for. */
  int NAMED_MAX = 10;

  /** Nothing of the type is listed yet, or it is this very schema. */
  record None() implements SchemaStep {}

  /** What is stored stays as it is. */
  record Harmless() implements SchemaStep {}

  /** Stored objects may be refused or lose fields; it is done all the same. */
  record Breaking(String before, List<SchemaChange> changes) implements SchemaStep {}

  /**
   * As {@link Breaking}, but the owner has to approve it first.
   *
   * @param listed what the export goes on to list
   */
  record Held(ListedSchema listed, String before, List<SchemaChange> changes)
      implements SchemaStep {}

  /**
   * @param resource the PublishedResource as stored, which may carry the approval
   */
  static SchemaStep of(
      ListedSchema listed,
      ProjectedSchema wanted,
      PublishedResource published,
      KubeObject resource) {
    String before;
    List<SchemaChange> changes;
    switch (listed) {
      case ListedSchema.None() -> {
        return new None();
      }
      case ListedSchema.Found(var schema) -> {
        before = schema.name();
        changes = SchemaChange.breaking(schema.map("spec"), wanted.spec());
      }
      // A change that cannot be judged is none that is known to be harmless.
      case ListedSchema.Gone(var name) -> {
        before = name;
        changes = List.of(new SchemaChange(name, "does not exist, so nothing can be compared"));
      }
    }
    if (changes.isEmpty()) {
      return new Harmless();
    }
    boolean approved =
        resource.annotation(SyncMarks.APPROVED_SCHEMA).equals(Optional.of(wanted.schemaName()));
    return approved || !published.schemaRules().requiresApproval()
        ? new Breaking(before, changes)
        : new Held(listed, before, changes);
  }

  /** The first few changes, for a message. */
  static String named(List<SchemaChange> changes) {
    return changes.stream()
            .limit(NAMED_MAX)
            .map(SchemaChange::toString)
            .collect(Collectors.joining("; "))
        + (changes.size() > NAMED_MAX ? "; and " + (changes.size() - NAMED_MAX) + " more" : "");
  }
}
