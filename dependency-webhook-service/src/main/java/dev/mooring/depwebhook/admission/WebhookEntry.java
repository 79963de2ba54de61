package dev.mooring.depwebhook.admission;

import dev.mooring.model.dependency.Mode;
import dev.mooring.model.identity.LogicalCluster;
import java.util.Optional;

/**
 * The entry of a webhook configuration that a review comes from, as the path of the review says.
 *
 * @param provider the name of its logical cluster; empty if the URL does not say
 * @param mode the strictest mode of the rules that the controller wrote the entry for: a review
 *     that cannot be evaluated is denied for {@link Mode#DENY}, and allowed with a warning
 *     otherwise
 */
public record WebhookEntry(String provider, Mode mode) {

  /** Empty if the URL does not name a logical cluster. */
  Optional<LogicalCluster> cluster() {
    return LogicalCluster.parse(provider);
  }

  /** An entry for targets that a rule denies. */
  public static WebhookEntry denying(String provider) {
    return new WebhookEntry(provider, Mode.DENY);
  }

  /** An entry for targets that rules only warn about or audit. */
  public static WebhookEntry warning(String provider) {
    return new WebhookEntry(provider, Mode.WARN);
  }
}
