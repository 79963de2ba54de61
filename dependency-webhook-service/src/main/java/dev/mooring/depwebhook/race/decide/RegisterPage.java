package dev.mooring.depwebhook.race.decide;

import java.time.Instant;

/**
 * All records about targets of one name. A page is written as a whole, on condition that the Lease
 * did not change since it was read: a writer so learns every record that preceded its own.
 */
public record RegisterPage(Announcements announcements, Intents intents) {
  public static final RegisterPage EMPTY = new RegisterPage(Announcements.NONE, Intents.NONE);

  public RegisterPage with(Announcements other) {
    return new RegisterPage(other, intents);
  }

  public RegisterPage with(Intents other) {
    return new RegisterPage(announcements, other);
  }

  /** Whether no record matters any more. */
  public boolean isExpired(Instant now, RaceTimings timings) {
    return announcements.isExpired(now, timings) && intents.isExpired(now, timings);
  }
}
