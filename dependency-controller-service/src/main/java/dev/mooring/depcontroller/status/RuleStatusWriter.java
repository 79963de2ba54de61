package dev.mooring.depcontroller.status;

import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.rules.decide.DependencyCycles;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.status.decide.RuleConditions;
import dev.mooring.depcontroller.status.decide.StatusFacts;
import dev.mooring.depcontroller.status.decide.StatusFacts.WebhookDelay;
import dev.mooring.depcontroller.status.decide.WebhookRights;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.RuleCache;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.queue.ReconcileResult;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Writes the status of rules. Where the schema of rules has no status, it logs that, and tries
 * again from time to time.
 */
public record RuleStatusWriter(
    ExportView view,
    RuleCache rules,
    Supplier<Swept> swept,
    Supplier<Map<LogicalCluster, Installation>> installations,
    InstantSource clock,
    WebhookDelay delay,
    Supplier<WebhookRights> webhookRights,
    StatusSubresource subresource) {
  /** A rule that settles does so within minutes. */
  private static final Duration SETTLING_RECHECK = Duration.ofSeconds(5);

  /**
   * The rules of the last sweep, which every status is computed from until the next one.
   *
   * @param cycles that they are part of, as text
   */
  public record Swept(ResolvedRules rules, Map<ObjectKey, String> cycles) {
    public static final Swept NONE = new Swept(ResolvedRules.EMPTY, Map.of());

    public static Swept of(ResolvedRules rules) {
      return new Swept(rules, DependencyCycles.in(rules));
    }

    /** Whether the status of a rule follows from the same facts as before. */
    public boolean agrees(Swept before, RuleReading reading) {
      return reading instanceof RuleReading.Valid(var rule)
          && rules.agree(before.rules, rule)
          && Objects.equals(cycles.get(rule.key()), before.cycles.get(rule.key()));
    }
  }

  public ReconcileResult report(ObjectKey rule) {
    Optional<KubeObject> found = view.get(DependencyRule.TYPE, rule);
    Optional<KubeClient> workspace = view.client(rule.cluster());
    if (found.isPresent() && workspace.isPresent() && view.state() instanceof ExportState.Ready) {
      return report(found.get(), workspace.get());
    }
    return new ReconcileResult.Done();
  }

  /** What every status is computed from now. */
  public StatusFacts facts() {
    Swept last = swept.get();
    return new StatusFacts(
        last.rules(), installations.get(), last.cycles(), delay, webhookRights.get());
  }

  private ReconcileResult report(KubeObject rule, KubeClient workspace) {
    RuleReading reading = rules.reading(rule);
    var conditions = new RuleConditions(reading, facts());
    boolean swept =
        !(reading instanceof RuleReading.Valid(var valid))
            || conditions.facts().resolvedRules().include(valid);
    if (!swept || !conditions.areKnown()) {
      return new ReconcileResult.Done();
    }
    Map<String, Object> status = conditions.status(rule, clock.instant());
    if (!status.equals(rule.map("status"))) {
      Optional<Duration> later = subresource.unavailableFor();
      if (later.isPresent()) {
        return new ReconcileResult.RequeueAfter(later.get());
      }
      if (!write(rule, status, workspace)) {
        return new ReconcileResult.RequeueAfter(subresource.missing());
      }
    }
    return RuleConditions.settling(status)
        ? new ReconcileResult.RequeueAfter(SETTLING_RECHECK)
        : new ReconcileResult.Done();
  }

  /** Returns whether the rule has a status that can be written. */
  private boolean write(KubeObject rule, Map<String, Object> status, KubeClient workspace) {
    try {
      // No patch: the Go program's manifests allow updates through the export, and no patches.
      workspace.updateStatus(DependencyRule.TYPE, rule.with(status, "status"));
      subresource.written();
      return true;
    } catch (KubeFailure failure) {
      return switch (failure.kind()) {
        // Where a type has no status, kcp answers as if the object did not exist.
        case NOT_FOUND -> !exists(rule, workspace);
        case NOT_SERVED -> false;
        case FORBIDDEN ->
            throw new IllegalStateException(
                "no status can be written; " + view.remedy("update") + ": " + failure.getMessage(),
                failure);
        default -> throw failure;
      };
    }
  }

  /** Whether kcp still has this rule, by its UID. */
  private static boolean exists(KubeObject rule, KubeClient workspace) {
    return workspace
        .find(DependencyRule.TYPE, "", rule.name())
        .filter(live -> live.uid().equals(rule.uid()))
        .isPresent();
  }
}
