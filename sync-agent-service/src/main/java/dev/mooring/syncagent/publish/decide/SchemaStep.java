package dev.mooring.syncagent.publish.decide;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.published.ProjectedSchema;
import dev.mooring.model.published.PublishedResource;
import dev.mooring.model.published.SchemaChange;
import dev.mooring.model.published.SchemaRules;
import dev.mooring.model.published.SyncMarks;
import java.util.List;
import java.util.Objects;
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
  record Breaking(String before, List<SchemaChange> changes) implements SchemaStep {
    public Breaking {
      changes = List.copyOf(changes);
    }
  }

  /** As {@link Breaking}, but somebody has to approve it first. */
  record Held(KubeObject before, List<SchemaChange> changes) implements SchemaStep {
    public Held {
      Objects.requireNonNull(before, "before");
      changes = List.copyOf(changes);
    }
  }

  /**
   * @param listed the schema that the export lists for the type; empty if none, or the wanted one
   * @param resource the PublishedResource as stored, which may carry the approval
   */
  static SchemaStep of(
      Optional<KubeObject> listed,
      ProjectedSchema wanted,
      PublishedResource published,
      KubeObject resource) {
    if (listed.isEmpty()) {
      return new None();
    }
    List<SchemaChange> changes = SchemaChange.breaking(listed.get().map("spec"), wanted.spec());
    if (changes.isEmpty()) {
      return new Harmless();
    }
    boolean approved =
        resource.annotation(SyncMarks.APPROVED_SCHEMA).equals(Optional.of(wanted.schemaName()));
    return published.schemaRules().changes() == SchemaRules.SchemaChanges.APPLY || approved
        ? new Breaking(listed.get().name(), changes)
        : new Held(listed.get(), changes);
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
