package dev.mooring.depcontroller.guard.decide;

import dev.mooring.depcontroller.guard.decide.GuardPlan.Create;
import dev.mooring.depcontroller.guard.decide.GuardPlan.InSync;
import dev.mooring.depcontroller.guard.decide.GuardPlan.Remove;
import dev.mooring.depcontroller.guard.decide.GuardPlan.Replace;
import dev.mooring.depcontroller.guard.decide.ProtectedResources.Certainty;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/**
 * Plans the change of a provider's webhook configuration. An existing configuration of any origin
 * is replaced as a whole. Nothing becomes unprotected while an unresolved path may mean this
 * provider.
 */
public final class GuardPlanner {
  private GuardPlanner() {}

  /**
   * @param actual the configuration as it is; empty only if it was looked for and is not there
   */
  public static GuardPlan plan(
      LogicalCluster provider,
      ProtectedResources wanted,
      GuardSettings settings,
      Optional<KubeObject> actual) {
    Coverage coverage = withoutShrinking(wanted, actual);
    if (coverage.isEmpty()) {
      return actual
          .<GuardPlan>map(found -> new Remove(found.uid(), found.resourceVersion()))
          .orElseGet(InSync::new);
    }
    String segment = WebhookConfigurationBuilder.segment(settings, provider, actual);
    List<Object> webhooks = WebhookConfigurationBuilder.webhooks(settings, segment, coverage);
    if (actual.isEmpty()) {
      return new Create(WebhookConfigurationBuilder.configuration(webhooks));
    }
    KubeObject found = actual.get();
    return found.list("webhooks").equals(webhooks)
        ? new InSync()
        : new Replace(found.with(webhooks, "webhooks"));
  }

  /** The unresolved rules that keep protection which no resolved rule needs; empty if none does. */
  public static SortedSet<ObjectKey> shrinkBlockedBy(
      LogicalCluster provider,
      ProtectedResources wanted,
      GuardSettings settings,
      Optional<KubeObject> actual) {
    return switch (wanted.certainty()) {
      case Certainty.AllKnown() -> Collections.emptySortedSet();
      case Certainty.MayBeMore(var because) -> {
        Coverage kept = withoutShrinking(wanted, actual);
        // One entry holds what is guarded alike, so coverages may differ where entries do not.
        yield WebhookConfigurationBuilder.webhooks(settings, provider, kept)
                .equals(WebhookConfigurationBuilder.webhooks(settings, provider, wanted.coverage()))
            ? Collections.emptySortedSet()
            : because;
      }
    };
  }

  /** Whether every entry of a configuration has this segment in its URL. */
  public static boolean everyEntryHas(String segment, KubeObject configuration) {
    return configuration.list("webhooks").stream()
        .allMatch(entry -> WebhookConfigurationBuilder.segments(entry).contains(segment));
  }

  private static Coverage withoutShrinking(ProtectedResources wanted, Optional<KubeObject> actual) {
    return switch (wanted.certainty()) {
      case Certainty.AllKnown() -> wanted.coverage();
      case Certainty.MayBeMore(_) ->
          actual
              .map(WebhookConfigurationBuilder::coveredBy)
              .orElse(Coverage.NONE)
              .and(wanted.coverage());
    };
  }
}
