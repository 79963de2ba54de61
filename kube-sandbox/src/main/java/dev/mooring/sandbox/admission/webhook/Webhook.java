package dev.mooring.sandbox.admission.webhook;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.admission.match.AdmissionVariables;
import dev.mooring.sandbox.admission.match.MatchConditions;
import dev.mooring.sandbox.admission.match.MatchCriteria;
import dev.mooring.sandbox.admission.match.WebhookAddress;
import dev.mooring.sandbox.webhook.WebhookCaller;
import java.time.Duration;
import java.util.List;

/**
 * One webhook of a configuration, compiled when the configuration is read.
 *
 * @param hasSideEffects whether a dry run must not call it
 * @param key which configuration and which webhook of it, for errors
 */
record Webhook(
    Key key,
    WebhookCaller.Target target,
    MatchCriteria criteria,
    boolean ignoresFailures,
    boolean hasSideEffects,
    boolean reinvoked,
    String reviewVersion,
    MatchConditions conditions) {
  private static final long DEFAULT_TIMEOUT_SECONDS = 10;

  record Key(String configuration, String webhook) {}

  String name() {
    return key.webhook();
  }

  /** The webhooks of a configuration, in its order. */
  static List<Webhook> of(KubeObject configuration) {
    return configuration.list("webhooks").stream()
        .map(webhook -> of(configuration.name(), webhook))
        .toList();
  }

  private static Webhook of(String configuration, Object tree) {
    return new Webhook(
        new Key(configuration, Trees.text(tree, "name")),
        new WebhookCaller.Target(
            WebhookAddress.of(Trees.at(tree, "clientConfig")),
            Trees.text(tree, "clientConfig", "caBundle"),
            Duration.ofSeconds(
                Trees.at(tree, "timeoutSeconds") instanceof Long seconds
                    ? seconds
                    : DEFAULT_TIMEOUT_SECONDS)),
        MatchCriteria.of(tree, "rules"),
        Trees.text(tree, "failurePolicy").equals("Ignore"),
        !Trees.text(tree, "sideEffects").startsWith("None"),
        Trees.text(tree, "reinvocationPolicy").equals("IfNeeded"),
        reviewVersion(Trees.texts(Trees.at(tree, "admissionReviewVersions"))),
        MatchConditions.of(Trees.at(tree, "matchConditions"), AdmissionVariables.CONDITION));
  }

  /** The first that this server speaks; empty if there is none. */
  private static String reviewVersion(List<String> offered) {
    return offered.stream()
        .filter(version -> version.equals("v1") || version.equals("v1beta1"))
        .findFirst()
        .orElse("");
  }
}
