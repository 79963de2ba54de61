package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.depwebhook.standing.Standing;
import dev.mooring.depwebhook.standing.Standings;
import dev.mooring.depwebhook.standing.decide.WorkspaceState;

/** A standing that is waited for as long as somebody waits for the answer. */
record AttendedStanding(Standing standing, Audience audience) implements Standing {
  /** Of all that are asked for. */
  static Standings all(Standings standings, Audience audience) {
    return (consumer, targets) -> new AttendedStanding(standings.of(consumer, targets), audience);
  }

  @Override
  public boolean counts(Protection protection) {
    return audience.during(() -> standing.counts(protection));
  }

  @Override
  public void expect(Protection protection) {
    standing.expect(protection);
  }

  @Override
  public boolean isKnownToCount(Protection protection) {
    return standing.isKnownToCount(protection);
  }

  @Override
  public void expectExistence() {
    standing.expectExistence();
  }

  @Override
  public WorkspaceState existence() {
    return audience.during(standing::existence);
  }

  @Override
  public WorkspaceState workspace() {
    return audience.during(standing::workspace);
  }
}
