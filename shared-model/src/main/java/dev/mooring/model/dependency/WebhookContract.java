package dev.mooring.model.dependency;

import java.time.Duration;

/**
 * What the dependency controller writes and the dependency webhook relies on: the paths of webhook
 * configurations, the Secret between the two services, and the times that race protection waits.
 */
public final class WebhookContract {
  /** Of a review that may deny; the segment that names the provider follows. */
  public static final String VALIDATE_PATH = "/validate";

  /**
   * Behind the provider's segment, for deletions that rules warn of or audit: a review that cannot
   * be evaluated is allowed.
   */
  public static final String WARN_PATH = "/warn";

  /** {@link #WARN_PATH} in webhook configurations that kcp has stored since before. */
  public static final String WARN_PATH_BEFORE = "/advised";

  /** Behind the provider's segment, for deletions that are allowed in any case. */
  public static final String NOTIFY_PATH = "/notify";

  /** {@link #NOTIFY_PATH} in webhook configurations that kcp has stored since before. */
  public static final String NOTIFY_PATH_BEFORE = "/told";

  /**
   * The longest time after its review within which an API server may still commit a request: it
   * ends a request after 60 s, and 5 s are for a write that is already sent.
   */
  public static final Duration COMMIT_MAX = Duration.ofSeconds(65);

  /** The greatest difference between two clocks; synchronised clocks differ by much less. */
  public static final Duration CLOCK_SKEW_MAX = Duration.ofSeconds(5);

  /**
   * The age at which rules and indexes of the webhook are too old to be used, unless configured
   * otherwise: API servers send a bookmark once a minute, and 15 s are for their watch cache.
   */
  public static final Duration STALENESS_MAX = Duration.ofSeconds(75);

  /** Of a rule with a type that the webhook's user may not read. */
  public static final String MAY_NOT_READ = "WebhookMayNotRead";

  /** The chart's value for the types that the webhook may read. */
  public static final String READABLE_TYPES = "kcpManifests.dependents";

  private WebhookContract() {}

  /** What lets the webhook read a type, in every workspace; follows a verb such as "has to". */
  public static String grant(GroupResource type) {
    return "add "
        + readable(type)
        + " to "
        + READABLE_TYPES
        + " of the chart, and apply its manifests of place shard again in system:admin of every"
        + " shard";
  }

  /** A type as the chart's value has it. */
  public static String readable(GroupResource type) {
    return "{apiGroups: [%s], resources: [%s]}"
        .formatted(type.group().isEmpty() ? "\"\"" : type.group(), type.resource());
  }
}
