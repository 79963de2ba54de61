package dev.mooring.depwebhook.race.decide;

import java.time.Instant;
import java.util.Objects;

/**
 * All that the register says of targets of one name. It is written as a whole, on condition that
 * nobody else did meanwhile: who has written it knows what else it said at that moment.
 */
public record RegisterPage(Announcements announcements, Intents intents) {
  public static final RegisterPage EMPTY = new RegisterPage(Announcements.NONE, Intents.NONE);

  public RegisterPage {
    Objects.requireNonNull(announcements, "announcements");
    Objects.requireNonNull(intents, "intents");
  }

  public RegisterPage with(Announcements other) {
    return new RegisterPage(other, intents);
  }

  public RegisterPage with(Intents other) {
    return new RegisterPage(announcements, other);
  }

  /** Whether nothing would be lost with it. */
  public boolean forgotten(Instant now, RaceTimings terms) {
    return announcements.forgotten(now, terms) && intents.forgotten(now, terms);
  }
}
