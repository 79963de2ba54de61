package dev.mooring.depcontroller.control;

import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.rules.ResolvedRulesCache;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.depcontroller.status.RuleStatusWriter;
import dev.mooring.depcontroller.status.RuleStatusWriter.Swept;
import dev.mooring.depcontroller.status.StatusSubresource;
import dev.mooring.depcontroller.status.WebhookRightsReviewer;
import dev.mooring.depcontroller.status.decide.RuleConditions;
import dev.mooring.depcontroller.status.decide.StatusFacts;
import dev.mooring.depcontroller.workspace.ExportDirectory;
import dev.mooring.depcontroller.workspace.SchemaDirectory;
import dev.mooring.depcontroller.workspace.WorkspaceAccess;
import dev.mooring.depcontroller.workspace.WorkspaceDirectory;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.RuleCache;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.export.ExportListener;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.export.ExportWatchOptions;
import dev.mooring.runtime.queue.QueueOptions;
import dev.mooring.runtime.queue.QueueStatus;
import dev.mooring.runtime.queue.ReconcileResult;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.trace.Tracing;
import dev.mooring.runtime.watch.Change;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles every provider's webhook configuration and every rule's status with the rules.
 *
 * <pre>
 *   rule, endpoint, workspace, export, binding, CA ──▶ Everything ──▶ Guard(provider)…, Report(rule)…
 *   webhook configuration ───────────────────────────────────▶ Guard(provider) ──▶ Report(rule)…
 * </pre>
 *
 * Level-based: an event only enqueues a key, and the work reads the current state. Thread-safe.
 */
public final class DependencyController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DependencyController.class);

  /** While lookups are pending: a workspace that denies its list sends no event. */
  private static final Duration PENDING_RECHECK = Duration.ofSeconds(1);

  private static final ResourceType[] FOLLOWED = {
    DependencyRule.TYPE,
    ProviderWorkspaceReconciler.CONFIGURATIONS,
    ProviderWorkspaceReconciler.BINDINGS
  };

  /** After a sweep, and as long as it took: a burst of events is one sweep. */
  private static final Duration SWEEP_PAUSE = Duration.ofMillis(20);

  private final InstantSource clock;
  private final ExportView view;
  private final WatchFreshness freshness;
  private final RuleCache rules;
  private final WorkspaceDirectory directory;
  private final ExportDirectory exports;
  private final SchemaDirectory schemas;
  private final ResolvedRulesCache resolvedRules;
  private final RuleProblemLogger ruleProblemLogger = new RuleProblemLogger();
  private final ProviderWorkspaceReconciler guards;
  private final WebhookRightsReviewer webhookRights;
  private final Duration statusRecheck;
  private final RuleStatusWriter statuses;
  private final WorkQueue<Work> queue;
  private final Duration resyncPeriod;
  private final BooleanSupplier leads;

  /** Whether the next sweep is to enqueue everything. */
  private final AtomicBoolean all = new AtomicBoolean();

  private volatile Swept swept = Swept.NONE;
  private volatile Instant nextResync = Instant.EPOCH;

  /** The earliest time of the next sweep. */
  private volatile Instant nextSweep = Instant.EPOCH;

  /**
   * @param access with a connection to the workspace of the export
   * @param leads whether this process may write now; {@link #resync()} once it may
   */
  public DependencyController(
      Clocks clocks,
      Tracing tracing,
      WorkspaceAccess access,
      String export,
      Supplier<GuardSettings> settings,
      int workers,
      ControllerTimings timings,
      BooleanSupplier leads) {
    this.clock = clocks.steady();
    this.resyncPeriod = timings.resyncPeriod();
    this.leads = leads;
    this.queue =
        WorkQueue.start(
            "guard",
            QueueOptions.workers(workers).tracedBy(tracing),
            this::reconcile,
            new FailureLog(this::paths));
    this.directory = new WorkspaceDirectory(access, this::sweep);
    this.exports = new ExportDirectory(access, this::sweep);
    this.schemas = new SchemaDirectory(access, this::sweep);
    this.rules = RuleCache.asWritten(() -> all(DependencyRule.TYPE));
    this.resolvedRules =
        new ResolvedRulesCache(
            rules, directory, exports, schemas, () -> all(ProviderWorkspaceReconciler.BINDINGS));
    this.view =
        ExportView.of(
            access.kcp(),
            ExportWatchOptions.of(export, FOLLOWED)
                .maxStaleness(timings.maxStaleness())
                .reachedBy(access.endpoints()),
            new Events());
    this.freshness = new WatchFreshness(view, FOLLOWED, timings.maxStaleness(), clocks.steady());
    this.guards =
        new ProviderWorkspaceReconciler(view, resolvedRules, settings, this::reportRulesAbout);
    this.statusRecheck = timings.statusRecheck();
    this.webhookRights = new WebhookRightsReviewer(access.kcp().client(), timings.webhookUser());
    this.statuses =
        new RuleStatusWriter(
            view,
            rules,
            () -> swept,
            guards::installations,
            clocks.wall(),
            timings.webhook(),
            webhookRights::current,
            new StatusSubresource(statusRecheck, clocks.steady()));
  }

  /** Begins to watch; nothing is reconciled before. */
  public DependencyController start() {
    view.start();
    resync();
    return this;
  }

  /** Enqueues everything. */
  public void resync() {
    resolvedRules.invalidate();
    all.set(true);
    sweep();
  }

  /** Enqueues what has changed since the last sweep. */
  private void sweep() {
    queue.add(new Work.Everything());
  }

  /**
   * Enqueues one provider's configuration, and the status of the rules in its workspace.
   *
   * @return false if no rule names that provider and none is in its workspace
   */
  public boolean resync(LogicalCluster provider) {
    List<ObjectKey> written =
        rules.readings().stream()
            .map(RuleReading::key)
            .filter(rule -> rule.cluster().equals(provider))
            .toList();
    boolean isProtected = providers(resolvedRules.current()).contains(provider);
    if (isProtected) {
      queue.add(new Work.Guard(provider));
    }
    written.forEach(rule -> queue.add(new Work.Report(rule)));
    return isProtected || !written.isEmpty();
  }

  /** As {@link ProviderWorkspaceReconciler#guardedWithout}. */
  public Optional<SortedSet<LogicalCluster>> providersWithout(
      Function<LogicalCluster, String> segment) {
    return guards.guardedWithout(segment);
  }

  /** Of rules, bindings and webhook configurations. */
  public Staleness staleness() {
    return freshness.staleness();
  }

  /** The cycles that rules are part of, as text. */
  public Map<ObjectKey, String> cycles() {
    return swept.cycles();
  }

  /** How many rules have condition {@code Accepted}. */
  public long acceptedRules() {
    StatusFacts facts = statuses.facts();
    return rules.readings().stream()
        .filter(reading -> new RuleConditions(reading, facts).isAccepted())
        .count();
  }

  /** A snapshot for health, metrics and status. */
  public Overview overview() {
    ResolvedRules now = resolvedRules.current();
    return new Overview(
        leads.getAsBoolean(),
        view.state(),
        staleness(),
        rules.readings(),
        now.participating(),
        now.ruleProblems(),
        directory.resolutions(),
        directory.describe(),
        exports.describe(),
        schemas.describe(),
        new TreeMap<>(guards.installations()),
        guards.shrinkBlockedBy(),
        queue.status(),
        view.describe());
  }

  /**
   * A snapshot of the controller.
   *
   * @param providers the paths in rules of providers that take part
   * @param ruleProblems of rules that are partly or fully ineffective
   * @param shrinkBlockedBy the rules that keep a provider's stale protection
   */
  public record Overview(
      boolean leader,
      ExportState state,
      Staleness staleness,
      List<RuleReading> rules,
      SortedSet<WorkspacePath> providers,
      SortedMap<ObjectKey, RuleProblem> ruleProblems,
      Map<WorkspacePath, Resolution> resolutions,
      Map<String, String> parents,
      Map<String, String> exports,
      Map<String, String> schemas,
      Map<LogicalCluster, Installation> installations,
      Map<LogicalCluster, SortedSet<ObjectKey>> shrinkBlockedBy,
      QueueStatus queue,
      Map<String, Object> endpoints) {
    /** What keeps the controller from being ready; empty if nothing does. */
    public Optional<String> waitingFor() {
      return switch (state) {
        case ExportState.Waiting(var reason) -> Optional.of(reason);
        case ExportState.Ready() -> staleness.problem();
      };
    }
  }

  /**
   * How old the controller's knowledge of kcp may be.
   *
   * @param lasted since everything was certainly up to date
   * @param problem which shard and type are stale, and why; empty below the limit
   */
  public record Staleness(Duration lasted, Optional<String> problem) {}

  /** A key of the work queue. */
  sealed interface Work {
    /** Watch the paths that rules name, and enqueue the providers and rules that changed. */
    record Everything() implements Work {}

    /** Reconcile one provider's webhook configuration. */
    record Guard(LogicalCluster provider) implements Work {}

    /** Review which types of rules the webhook's user may read. */
    record Rights() implements Work {}

    /** Write one rule's status. */
    record Report(ObjectKey rule) implements Work {}
  }

  /** Ends the watches, then waits for running work. Idempotent. */
  @Override
  public void close() {
    view.close();
    directory.close();
    exports.close();
    schemas.close();
    queue.close();
  }

  /** Reads the view, which is created after its users. */
  private List<KubeObject> all(ResourceType type) {
    return view.all(type);
  }

  private Map<LogicalCluster, WorkspacePath> paths() {
    return resolvedRules.current().paths();
  }

  private ReconcileResult reconcile(Work work) {
    return switch (work) {
      case Work.Everything() -> everything();
      case Work.Guard(var provider) ->
          leads.getAsBoolean() ? guards.reconcile(provider) : guards.release(provider);
      case Work.Rights() -> reviewRights();
      case Work.Report(var rule) ->
          leads.getAsBoolean() ? statuses.report(rule) : new ReconcileResult.Done();
    };
  }

  private ReconcileResult reviewRights() {
    if (leads.getAsBoolean() && webhookRights.review(rules.valid())) {
      resync();
    }
    return new ReconcileResult.RequeueAfter(statusRecheck);
  }

  private ReconcileResult everything() {
    switch (view.state()) {
      case ExportState.Waiting(var reason) -> {
        LOG.debug("Waiting: {}", reason);
        return new ReconcileResult.RequeueAfter(resyncPeriod);
      }
      case ExportState.Ready() -> {
        Instant begin = clock.instant();
        Duration early = Duration.between(begin, nextSweep);
        if (early.isPositive()) {
          return new ReconcileResult.RequeueAfter(early);
        }
        boolean everything =
            all.getAndSet(false) || !begin.isBefore(nextResync) || !leads.getAsBoolean();
        if (everything) {
          nextResync = begin.plus(resyncPeriod);
        }
        resolvedRules.follow(guards.guarded());
        ResolvedRules now = resolvedRules.current();
        ruleProblemLogger.log(now.ruleProblems(), now.paths());
        if (!webhookRights.current().know(now.rules())) {
          queue.add(new Work.Rights());
        }
        TreeSet<LogicalCluster> providers = providers(now);
        List<LogicalCluster> changed = guards.changed(providers, now);
        (everything ? providers : changed).forEach(provider -> queue.add(new Work.Guard(provider)));
        Swept before = swept;
        swept = Swept.of(now);
        now.readings().stream()
            .filter(rule -> everything || !swept.agrees(before, rule))
            .forEach(rule -> queue.add(new Work.Report(rule.key())));
        Instant end = clock.instant();
        nextSweep = end.plus(SWEEP_PAUSE).plus(Duration.between(begin, end));
        return new ReconcileResult.RequeueAfter(now.complete() ? resyncPeriod : PENDING_RECHECK);
      }
    }
  }

  /** The providers of all rules, and those that have or had a webhook configuration. */
  private TreeSet<LogicalCluster> providers(ResolvedRules now) {
    var providers = new TreeSet<>(guards.installations().keySet());
    providers.addAll(now.byProvider().keySet());
    providers.addAll(guards.guarded());
    return providers;
  }

  private void reportRulesAbout(LogicalCluster provider) {
    resolvedRules
        .current()
        .byProvider()
        .getOrDefault(provider, List.of())
        .forEach(rule -> queue.add(new Work.Report(rule.key())));
  }

  /** Maps events to keys. */
  private final class Events implements ExportListener {
    @Override
    public void changed(ResourceType type, Change change) {
      if (type.equals(DependencyRule.TYPE)) {
        ruleChanged(change);
      } else if (type.equals(ProviderWorkspaceReconciler.CONFIGURATIONS)) {
        if (change.key().name().equals(GuardSettings.CONFIGURATION)) {
          queue.add(new Work.Guard(change.key().cluster()));
        }
      } else {
        resync(); // a binding of the export, or its accepted claims
      }
    }

    @Override
    public void stateChanged() {
      resync();
    }

    private void ruleChanged(Change change) {
      ObjectKey key = change.key();
      switch (change) {
        case Change.Updated(_, var before, var after)
            when before.generation() == after.generation() && before.uid().equals(after.uid()) ->
            queue.add(new Work.Report(key)); // only its status or metadata was written
        case Change.Added(_, _), Change.Updated(_, _, _), Change.Removed(_, _) -> {
          resolvedRules.invalidate();
          sweep();
        }
      }
    }
  }
}
