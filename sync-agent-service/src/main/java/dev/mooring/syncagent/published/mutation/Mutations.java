package dev.mooring.syncagent.published.mutation;

import dev.mooring.model.object.Trees;
import dev.mooring.syncagent.published.Problems;
import org.jspecify.annotations.Nullable;

/**
 * A {@code mutation} block.
 *
 * @param spec for everything but the status, in the direction in which an object is synced
 * @param status for the status on its way back
 */
public record Mutations(Mutation spec, Mutation status) {
  public static final Mutations NONE = new Mutations(Mutation.NONE, Mutation.NONE);

  /**
   * Throws {@link dev.mooring.syncagent.published.InvalidPublishedResource}: all rules that cannot
   * work, and why.
   *
   * @param tree the block; null where there is none
   * @param field where it stands, such as {@code spec.mutation}
   */
  public static Mutations read(@Nullable Object tree, String field) {
    var problems = new Problems();
    return problems.checked(
        new Mutations(read(tree, "spec", field, problems), read(tree, "status", field, problems)));
  }

  private static Mutation read(
      @Nullable Object tree, String part, String field, Problems problems) {
    return problems.read(
        Mutation.NONE, () -> Mutation.read(Trees.at(tree, part), field + "." + part));
  }
}
