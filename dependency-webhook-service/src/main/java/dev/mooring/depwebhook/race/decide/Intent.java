package dev.mooring.depwebhook.race.decide;

import java.time.Instant;
import java.util.Objects;

/**
 * A record that a request is under way which deletes a target.
 *
 * @param id of the review that made it, so that it can take back its own and nothing else
 * @param uid of the target: one of the same name that comes later is not meant
 * @param at by the clock of the replica that made it, not before the review came in
 */
public record Intent(String id, String uid, Instant at) {
  public Intent {
    Objects.requireNonNull(uid, "uid");
    Objects.requireNonNull(at, "at");
    if (id.isEmpty()) {
      throw new IllegalArgumentException("an intent has an id");
    }
  }
}
