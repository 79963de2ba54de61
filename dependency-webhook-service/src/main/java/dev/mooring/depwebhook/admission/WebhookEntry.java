package dev.mooring.depwebhook.admission;

import dev.mooring.model.dependency.Mode;
import dev.mooring.model.identity.LogicalCluster;
import java.util.Optional;

/**
 * The entry of a webhook configuration that a review comes from, as the path of the review says.
 *
 * @param provider the name of its logical cluster; empty if the URL does not say
 */
public record WebhookEntry(String provider, Kind kind) {
  /** What the controller wrote the entry for. */
  public enum Kind {
    /** Targets that a rule denies: a review that cannot be evaluated is denied. */
    DENYING,
    /** Targets that rules only warn about or audit: such a review is allowed with a warning. */
    WARNING,
    /** Deletions that the webhook configuration allows in any case. */
    NOTIFYING
  }

  /** Empty if the URL does not name a logical cluster. */
  Optional<LogicalCluster> cluster() {
    return LogicalCluster.parse(provider);
  }

  /** The strictest mode of the entry's rules. */
  Mode mode() {
    return switch (kind) {
      case DENYING -> Mode.DENY;
      case WARNING, NOTIFYING -> Mode.WARN;
    };
  }
}
