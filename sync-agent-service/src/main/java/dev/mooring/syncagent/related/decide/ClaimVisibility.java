package dev.mooring.syncagent.related.decide;

/** How much of the objects of some types a consumer lets the agent see. */
public sealed interface ClaimVisibility {
  /** Reason for what cannot be done while {@link Partial}. */
  String NARROWED = "ClaimNarrowed";

  /** What is not seen is not there. */
  record Full() implements ClaimVisibility {}

  /** Only what the selector of a claim matches: what is not seen may be there. Says what to do. */
  record Partial(String why) implements ClaimVisibility {}

  /** Nothing. Says what a person has to do to change that. */
  record None(String why) implements ClaimVisibility {}

  /** The server has not applied the accepted claim yet. */
  record Pending() implements ClaimVisibility {}

  /** What hides more. */
  default ClaimVisibility or(ClaimVisibility other) {
    return rank(other) > rank(this) ? other : this;
  }

  private static int rank(ClaimVisibility visibility) {
    return switch (visibility) {
      case Full _ -> 0;
      case Partial _ -> 1;
      case Pending _ -> 2;
      case None _ -> 3;
    };
  }
}
