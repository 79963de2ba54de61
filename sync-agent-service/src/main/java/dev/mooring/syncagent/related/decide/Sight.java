package dev.mooring.syncagent.related.decide;

import java.util.Objects;

/** How much of the objects of some types a consumer lets the agent see. */
public sealed interface Sight {
  /** What is not seen is not there. */
  record Full() implements Sight {}

  /**
   * Only what the selector of a permission claim matches: what is not seen may be there.
   *
   * @param why what a person has to do to change that
   */
  record Part(String why) implements Sight {
    public Part {
      Objects.requireNonNull(why, "why");
    }
  }

  /**
   * Nothing.
   *
   * @param why what a person has to do to change that
   */
  record None(String why) implements Sight {
    public None {
      Objects.requireNonNull(why, "why");
    }
  }

  /** The server is about to let it be seen: until then nothing can be told. */
  record Pending() implements Sight {}

  /** What hides more. */
  default Sight or(Sight other) {
    return rank(other) > rank(this) ? other : this;
  }

  private static int rank(Sight sight) {
    return switch (sight) {
      case Full _ -> 0;
      case Part _ -> 1;
      case Pending _ -> 2;
      case None _ -> 3;
    };
  }
}
