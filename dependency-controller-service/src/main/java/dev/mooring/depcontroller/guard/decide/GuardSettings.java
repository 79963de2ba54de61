package dev.mooring.depcontroller.guard.decide;

import dev.mooring.model.identity.LogicalCluster;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;

/**
 * How webhook configurations are to look, the same in every workspace.
 *
 * @param url of the webhook, without the provider's name at its end; no query
 * @param caBundle PEM certificates in Base64; empty to trust what the API server trusts
 * @param timeout whole seconds, 1 to 30
 * @param signer gives the signed segment of the URL that names a provider; empty while no key is
 *     known, and a configuration keeps the segment that it has
 */
public record GuardSettings(
    String url,
    String caBundle,
    FailurePolicy failurePolicy,
    Duration timeout,
    Optional<Function<LogicalCluster, String>> signer) {
  /** The name of the configuration, which the Go program gave it. */
  public static final String CONFIGURATION = "dependency-controller";

  /** What a provider's API server does with a deletion while the webhook does not answer. */
  public enum FailurePolicy {
    FAIL("Fail"),
    IGNORE("Ignore");

    private final String value;

    FailurePolicy(String value) {
      this.value = value;
    }

    /** As in a webhook configuration. */
    public String value() {
      return value;
    }
  }

  public GuardSettings {
    if (timeout.toSeconds() < 1 || timeout.toSeconds() > 30 || timeout.getNano() != 0) {
      throw new IllegalArgumentException(
          "a webhook's timeout is 1 to 30 whole seconds: " + timeout);
    }
  }

  /** Of configurations whose URLs are not signed. */
  public GuardSettings(String url, String caBundle, FailurePolicy failurePolicy, Duration timeout) {
    this(url, caBundle, failurePolicy, timeout, Optional.empty());
  }
}
