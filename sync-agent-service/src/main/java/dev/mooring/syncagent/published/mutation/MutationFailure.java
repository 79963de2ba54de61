package dev.mooring.syncagent.published.mutation;

/**
 * A rule that cannot be applied to this object. The message names the rule and what it lacks, never
 * a value of the object.
 */
public final class MutationFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  public MutationFailure(String message) {
    super(message, null, false, false);
  }
}
