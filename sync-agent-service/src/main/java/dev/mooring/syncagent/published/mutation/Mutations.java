package dev.mooring.syncagent.published.mutation;

import dev.mooring.model.object.Trees;
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
   * Throws {@link dev.mooring.syncagent.published.InvalidPublishedResource}: the first rule that
   * cannot work, and why.
   *
   * @param tree the block; null where there is none
   * @param field where it stands, such as {@code spec.mutation}
   */
  public static Mutations read(@Nullable Object tree, String field) {
    return new Mutations(
        MutationReader.read(Trees.at(tree, "spec"), field + ".spec"),
        MutationReader.read(Trees.at(tree, "status"), field + ".status"));
  }
}
