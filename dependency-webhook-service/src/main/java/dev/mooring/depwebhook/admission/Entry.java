package dev.mooring.depwebhook.admission;

import dev.mooring.depwebhook.admission.decide.Force;
import java.util.Objects;

/**
 * The entry of a provider's configuration that a review comes from, as the review's URL says.
 *
 * @param provider the name of its logical cluster; empty if the URL does not say
 */
public record Entry(String provider, Force force) {
  public Entry {
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(force, "force");
  }

  /** What may have to be refused. */
  public static Entry binding(String provider) {
    return new Entry(provider, Force.BINDING);
  }

  /** What rules only warn of or audit. */
  public static Entry advisory(String provider) {
    return new Entry(provider, Force.ADVISORY);
  }
}
