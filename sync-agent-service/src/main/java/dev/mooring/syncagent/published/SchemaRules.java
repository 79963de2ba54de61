package dev.mooring.syncagent.published;

import dev.mooring.model.object.Trees;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * How schemas and permission claims get into the APIExport: {@code spec.publishing}, and the
 * publishing half of {@code spec.synchronization}.
 *
 * @param publishing empty where the agent's default holds
 * @param claimVerbs of permission claims that are added; {@code ["*"]} is every verb
 * @param keepOldSchemas how many outdated APIResourceSchemas of the type are kept; empty keeps all
 */
public record SchemaRules(
    Optional<Publishing> publishing,
    SchemaChanges changes,
    List<String> claimVerbs,
    OptionalInt keepOldSchemas) {
  /** What kcp takes for every verb. */
  public static final List<String> EVERY_VERB = List.of("*");

  /** Where a PublishedResource says nothing. */
  public static final SchemaRules DEFAULT =
      new SchemaRules(Optional.empty(), SchemaChanges.APPLY, EVERY_VERB, OptionalInt.empty());

  public SchemaRules {
    claimVerbs = List.copyOf(claimVerbs);
  }

  /** What happens to a schema change that breaks stored objects. */
  public enum SchemaChanges {
    APPLY,
    REQUIRE_APPROVAL
  }

  /**
   * Whether a change that breaks stored objects waits for the owner's approval. What comes from Git
   * is reviewed there.
   */
  public boolean requiresApproval() {
    return changes == SchemaChanges.REQUIRE_APPROVAL && !isExternal(Publishing.MANAGED);
  }

  /** Whether others write schema and export, by the PublishedResource or the agent's default. */
  public boolean isExternal(Publishing agents) {
    return publishing.orElse(agents) == Publishing.EXTERNAL;
  }

  /** Throws {@link InvalidPublishedResource}. */
  static SchemaRules read(@Nullable Object spec) {
    Object synchronization = Trees.at(spec, "synchronization");
    return new SchemaRules(
        FieldValues.find(Publishing.class, spec, "publishing"),
        FieldValues.find(SchemaChanges.class, spec, "synchronization", "schemaChanges")
            .orElse(SchemaChanges.APPLY),
        claimVerbs(Trees.list(synchronization, "claimVerbs")),
        keepOldSchemas(Trees.at(synchronization, "prune", "keep")));
  }

  private static List<String> claimVerbs(List<Object> verbs) {
    List<String> texts = verbs.stream().map(Trees::textOrEmpty).distinct().toList();
    if (texts.contains("")) {
      throw InvalidPublishedResource.spec("spec.synchronization.claimVerbs: a verb is empty");
    }
    return texts.isEmpty() || texts.contains("*") ? EVERY_VERB : texts;
  }

  private static OptionalInt keepOldSchemas(@Nullable Object keep) {
    return switch (keep) {
      case null -> OptionalInt.empty();
      case Long number when number >= 0 && number <= Integer.MAX_VALUE ->
          OptionalInt.of(number.intValue());
      default ->
          throw InvalidPublishedResource.spec(
              "spec.synchronization.prune.keep: " + keep + "; use a whole number from 0 on");
    };
  }
}
