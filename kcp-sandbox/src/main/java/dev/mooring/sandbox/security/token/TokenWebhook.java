package dev.mooring.sandbox.security.token;

import dev.mooring.sandbox.security.user.UserInfo;
import java.util.List;

/** Knows users whose tokens nothing else knows. Thread-safe. */
@FunctionalInterface
public interface TokenWebhook {
  /** Knows no user. */
  TokenWebhook NONE = (_, _) -> new Answer.Unknown("");

  /** Whose token it is. */
  sealed interface Answer {
    /**
     * A user.
     *
     * @param user without the group {@code system:authenticated}
     * @param audiences for which the token is good; empty for the server's own
     */
    record Known(UserInfo user, List<String> audiences) implements Answer {
      public Known {
        audiences = List.copyOf(audiences);
      }
    }

    /**
     * No user, or none that can be found out now.
     *
     * @param why empty if nothing went wrong
     */
    record Unknown(String why) implements Answer {}
  }

  /**
   * Asks about a token.
   *
   * @param audiences of which the token must be good for one
   */
  Answer review(String token, List<String> audiences);
}
