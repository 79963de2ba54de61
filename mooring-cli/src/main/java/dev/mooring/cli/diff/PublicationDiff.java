package dev.mooring.cli.diff;

import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.publish.decide.Publication;
import dev.mooring.syncagent.published.PublishedResource;
import dev.mooring.syncagent.published.Publishing;
import dev.mooring.syncagent.published.SchemaChange;
import dev.mooring.syncagent.published.SchemaDifferences;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What a change does to the type that one PublishedResource publishes.
 *
 * @param schema name of the APIResourceSchema after the change; empty if there is none
 * @param changes what breaks stored objects, or all changes if none does, or why the agent refuses
 */
record PublicationDiff(
    String name, Verdict verdict, Rollout rollout, String schema, List<SchemaChange> changes) {
  static final List<String> COLUMNS = List.of("PUBLISHEDRESOURCE", "VERDICT", "WHERE", "CHANGE");

  /** The worst last. */
  enum Verdict {
    UNCHANGED,
    NEW,
    /** Every object that was accepted still is, and keeps its fields. */
    COMPATIBLE,
    /** Objects that are stored may be refused, lose fields, or be left unsynced. */
    BREAKING,
    /** The agent refuses it, and serves what was published before. */
    REFUSED;

    String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    boolean isHarmful() {
      return compareTo(BREAKING) >= 0;
    }
  }

  /** When consumers get the change. */
  enum Rollout {
    /** The agent writes schema and export. */
    AT_ONCE,
    /** The same, after an approval. */
    WHEN_APPROVED,
    /** Others write schema and export. */
    WHEN_APPLIED;

    private static Rollout of(PublishedResource published, Publishing publishing) {
      if (published.schemaRules().isExternal(publishing)) {
        return WHEN_APPLIED;
      }
      return published.schemaRules().requiresApproval() ? WHEN_APPROVED : AT_ONCE;
    }
  }

  PublicationDiff {
    changes = List.copyOf(changes);
  }

  /**
   * @param publishing the agent's default
   */
  static PublicationDiff of(
      String name, Publication before, Publication after, Publishing publishing) {
    return switch (after) {
      case Publication.Rejected(var reason, var message) ->
          new PublicationDiff(
              name,
              Verdict.REFUSED,
              Rollout.AT_ONCE,
              "",
              List.of(new SchemaChange(reason, message)));
      case Publication.Unreadable(var message) ->
          new PublicationDiff(
              name, Verdict.REFUSED, Rollout.AT_ONCE, "", List.of(new SchemaChange("", message)));
      case Publication.Ready ready ->
          before instanceof Publication.Ready old
              ? compared(name, old, ready, publishing)
              : new PublicationDiff(
                  name,
                  Verdict.NEW,
                  Rollout.of(ready.published(), publishing),
                  ready.schema().schemaName(),
                  List.of());
    };
  }

  private static PublicationDiff compared(
      String name, Publication.Ready before, Publication.Ready after, Publishing publishing) {
    String schema = after.schema().schemaName();
    List<SchemaChange> breaking =
        SchemaChange.breaking(before.schema().spec(), after.schema().spec());
    Verdict verdict =
        schema.equals(before.schema().schemaName())
            ? Verdict.UNCHANGED
            : breaking.isEmpty() ? Verdict.COMPATIBLE : Verdict.BREAKING;
    return new PublicationDiff(
        name,
        verdict,
        Rollout.of(after.published(), publishing),
        schema,
        breaking.isEmpty()
            ? SchemaDifferences.changes(before.schema().spec(), after.schema().spec())
            : breaking);
  }

  private boolean needsApproval() {
    return verdict == Verdict.BREAKING && rollout == Rollout.WHEN_APPROVED;
  }

  Stream<List<String>> rows() {
    return changes.isEmpty()
        ? Stream.of(List.of(name, verdict.text(), "", ""))
        : changes.stream()
            .map(change -> List.of(name, verdict.text(), change.where(), change.what()));
  }

  Map<String, Object> tree() {
    return Trees.ordered(
        "publishedResource", name,
        "verdict", verdict.text(),
        "schema", schema,
        "needsApproval", needsApproval(),
        "changes",
            changes.stream()
                .map(change -> Trees.ordered("where", change.where(), "change", change.what()))
                .toList());
  }
}
