package dev.mooring.depcontroller.control;

import dev.mooring.depcontroller.guard.GuardSettingsSource;
import dev.mooring.depcontroller.guard.InstallationStatuses;
import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardPlanner;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.rules.ResolvedRulesCache;
import dev.mooring.depcontroller.rules.RuleCache;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.depcontroller.status.RuleStatusWriter;
import dev.mooring.depcontroller.workspace.ExportDirectory;
import dev.mooring.depcontroller.workspace.SchemaDirectory;
import dev.mooring.depcontroller.workspace.WorkspaceAccess;
import dev.mooring.depcontroller.workspace.WorkspaceDirectory;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.export.ExportListener;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportTerms;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.queue.Next;
import dev.mooring.runtime.queue.QueueOptions;
import dev.mooring.runtime.queue.QueueStatus;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.runtime.time.Clocks;
import dev.mooring.runtime.watch.Change;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps every provider's webhook configuration and every rule's status in line with the rules.
 *
 * <pre>
 *   rule, endpoint, workspace, export, binding, CA ──▶ Everything ──▶ Guard(provider)…, Report(rule)…
 *   webhook configuration ───────────────────────────────────▶ Guard(provider) ──▶ Report(rule)…
 * </pre>
 *
 * Events only say that something is to be looked at again; what is to be done follows from what is
 * there then. Thread-safe.
 */
public final class DependencyController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DependencyController.class);

  /** Soon enough for a refusal to show, and seldom enough for a server that is slow. */
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(1);

  private static final List<ResourceType> FOLLOWED =
      List.of(
          DependencyRule.TYPE,
          ProviderWorkspaceReconciler.CONFIGURATIONS,
          ProviderWorkspaceReconciler.BINDINGS);

  /** A burst of events is one change: what it brings is looked at once. */
  private static final Duration SWEEP_PERIOD_MIN = Duration.ofMillis(20);

  private static final Duration SWEEP_PERIOD_PER_RULE = Duration.ofMillis(1);
  private static final Duration SWEEP_PERIOD_MAX = Duration.ofMillis(300);

  private final InstantSource clock;
  private final ExportView view;
  private final WatchFreshness freshness;
  private final RuleCache rules;
  private final WorkspaceDirectory directory;
  private final ExportDirectory exports;
  private final SchemaDirectory schemas;
  private final ResolvedRulesCache resolvedRules;
  private final RuleProblemLogger ruleProblemLogger = new RuleProblemLogger();
  private final InstallationStatuses installations = new InstallationStatuses();
  private final ProviderWorkspaceReconciler guards;
  private final RuleStatusWriter statuses;
  private final WorkQueue<Work> queue;
  private final Duration resyncPeriod;
  private final BooleanSupplier leads;

  /** Events arrive while the parts above are still being made; work waits until all are there. */
  private volatile boolean started;

  /** When everything may be looked at again. */
  private volatile Instant nextSweep = Instant.EPOCH;

  private DependencyController(
      Clocks clocks,
      WorkspaceAccess access,
      String export,
      GuardSettingsSource settings,
      int workers,
      ControllerTimings timings,
      BooleanSupplier leads) {
    this.clock = clocks.steady();
    this.resyncPeriod = timings.resyncPeriod();
    this.leads = leads;
    this.queue =
        WorkQueue.start("guard", QueueOptions.workers(workers), this::work, new FailureLog());
    this.directory = new WorkspaceDirectory(access, this::resync);
    this.exports = new ExportDirectory(access, this::resync);
    this.schemas = new SchemaDirectory(access, this::resync);
    this.rules = new RuleCache(() -> all(DependencyRule.TYPE));
    this.resolvedRules =
        new ResolvedRulesCache(
            rules, directory, exports, schemas, () -> all(ProviderWorkspaceReconciler.BINDINGS));
    this.view =
        ExportView.start(
            access.kcp(),
            ExportTerms.of(export, FOLLOWED.toArray(ResourceType[]::new))
                .maxStaleness(timings.silenceMax())
                .reachedBy(access.endpoints()),
            new Events());
    this.freshness = new WatchFreshness(view, FOLLOWED, timings.silenceMax(), clocks.steady());
    this.guards =
        new ProviderWorkspaceReconciler(
            view, resolvedRules, settings, installations, this::reportRulesAbout);
    this.statuses =
        new RuleStatusWriter(
            view, resolvedRules, installations, clocks, timings.webhook(), timings.statusRecheck());
  }

  /**
   * @param access whose connection's context points at the workspace of the export
   * @param leads whether this process may write now; {@link #resync()} once it may
   */
  public static DependencyController start(
      Clocks clocks,
      WorkspaceAccess access,
      String export,
      GuardSettingsSource settings,
      int workers,
      ControllerTimings timings,
      BooleanSupplier leads) {
    var controller =
        new DependencyController(clocks, access, export, settings, workers, timings, leads);
    controller.started = true;
    controller.resync();
    return controller;
  }

  /** Everything is looked at again soon. */
  public void resync() {
    everythingSoon();
  }

  /**
   * One provider's configuration, and the status of the rules in its workspace, are looked at again
   * soon; false if no rule is about it and none stands there.
   */
  public boolean resync(LogicalCluster provider) {
    List<ObjectKey> written =
        rules.readings().stream()
            .map(RuleReading::key)
            .filter(rule -> rule.cluster().equals(provider))
            .toList();
    boolean isProtected = isProtected(provider);
    if (isProtected) {
      queue.add(new Work.Guard(provider));
    }
    written.forEach(rule -> queue.add(new Work.Report(rule)));
    return isProtected || !written.isEmpty();
  }

  private boolean isProtected(LogicalCluster provider) {
    return installations.all().containsKey(provider)
        || resolvedRules.current().byProvider().containsKey(provider)
        || guards.guarded().contains(provider);
  }

  /** Whether every configuration that is there has this CA bundle, in Base64, in every entry. */
  public boolean everyConfigurationHas(String caBundle) {
    return view.state() instanceof ExportState.Ready
        && view.all(ProviderWorkspaceReconciler.CONFIGURATIONS).stream()
            .filter(found -> found.name().equals(GuardSettings.CONFIGURATION))
            .flatMap(found -> found.list("webhooks").stream())
            .allMatch(entry -> caBundle.equals(Trees.at(entry, "clientConfig", "caBundle")));
  }

  /**
   * The providers with a configuration of which some entry's URL lacks a segment; empty while
   * configurations are not known.
   *
   * @param segment of each provider
   */
  public Optional<SortedSet<LogicalCluster>> providersWithout(
      Function<LogicalCluster, String> segment) {
    if (!(view.state() instanceof ExportState.Ready)) {
      return Optional.empty();
    }
    var without = new TreeSet<LogicalCluster>();
    for (KubeObject found : view.all(ProviderWorkspaceReconciler.CONFIGURATIONS)) {
      if (found.name().equals(GuardSettings.CONFIGURATION)) {
        found
            .logicalCluster()
            .filter(provider -> !GuardPlanner.everyEntryHas(segment.apply(provider), found))
            .ifPresent(without::add);
      }
    }
    return Optional.of(without);
  }

  /** For how long kcp has not been heard of rules, bindings or webhook configurations. */
  public Staleness staleness() {
    return freshness.staleness();
  }

  /** What is known, for reports. */
  public Overview overview() {
    return new Overview(
        leads.getAsBoolean(),
        view.state(),
        staleness(),
        rules.readings(),
        resolvedRules.participating(),
        resolvedRules.ruleProblems(),
        directory.resolutions(),
        directory.describe(),
        exports.describe(),
        schemas.describe(),
        installations.all(),
        installations.shrinkBlockedBy(),
        queue.status(),
        view.describe());
  }

  /**
   * What the controller knows.
   *
   * @param providers the paths in rules that are those of providers that take part
   * @param ruleProblems of rules that protect nothing, or may not
   * @param shrinkBlockedBy providers whose protection does not shrink, and the rules that may be
   *     about them
   */
  public record Overview(
      boolean leads,
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
    /** What its work waits for, or may be behind for; empty if there is nothing. */
    public Optional<String> waitingFor() {
      return switch (state) {
        case ExportState.Waiting(var reason) -> Optional.of(reason);
        case ExportState.Ready() -> staleness.problem();
      };
    }
  }

  /** Ends the watches, then waits for work under way. Idempotent. */
  @Override
  public void close() {
    view.close();
    directory.close();
    exports.close();
    schemas.close();
    queue.close();
  }

  /** Of the view, which is made after what asks it. */
  private List<KubeObject> all(ResourceType type) {
    return view.all(type);
  }

  private void everythingSoon() {
    resolvedRules.changed();
    queue.add(new Work.Everything());
  }

  private Next work(Work work) {
    if (!started) {
      return new Next.After(Duration.ofMillis(50));
    }
    return switch (work) {
      case Work.Everything() -> everything();
      case Work.Guard(var provider) ->
          leads.getAsBoolean() ? guards.reconcile(provider) : guards.leave(provider);
      case Work.Report(var rule) ->
          leads.getAsBoolean() ? statuses.report(rule) : new Next.OnEvent();
    };
  }

  private Next everything() {
    switch (view.state()) {
      case ExportState.Waiting(var reason) -> {
        LOG.debug("Waiting: {}", reason);
        return new Next.After(resyncPeriod);
      }
      case ExportState.Ready() -> {
        Instant begin = clock.instant();
        Duration early = Duration.between(begin, nextSweep);
        if (early.isPositive()) {
          return new Next.After(early);
        }
        resolvedRules.follow(guards.guarded());
        ResolvedRules now = resolvedRules.current();
        ruleProblemLogger.tell(resolvedRules.ruleProblems(), now.paths());
        nextSweep = begin.plus(sweepPeriod(now.readings().size()));
        providers(now).forEach(provider -> queue.add(new Work.Guard(provider)));
        now.readings().forEach(rule -> queue.add(new Work.Report(rule.key())));
        // A workspace that refuses to be listed causes no event.
        return new Next.After(now.complete() ? resyncPeriod : LOOK_AGAIN);
      }
    }
  }

  /**
   * Short where there is little to look at: a rule about a new provider takes three sweeps, one for
   * each of workspace, export and schema.
   */
  private static Duration sweepPeriod(int rules) {
    Duration period = SWEEP_PERIOD_MIN.plus(SWEEP_PERIOD_PER_RULE.multipliedBy(rules));
    return period.compareTo(SWEEP_PERIOD_MAX) > 0 ? SWEEP_PERIOD_MAX : period;
  }

  /** Those that rules lead to, and those that are protected, or were when last looked at. */
  private TreeSet<LogicalCluster> providers(ResolvedRules now) {
    var providers = new TreeSet<>(installations.all().keySet());
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

  /** What happened, to what is to be looked at. */
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
        everythingSoon(); // a provider bound the export, or changed what it accepts
      }
    }

    @Override
    public void stateChanged() {
      everythingSoon();
    }

    private void ruleChanged(Change change) {
      ObjectKey key = change.key();
      switch (change) {
        case Change.Updated(_, var before, var after)
            when before.generation() == after.generation() && before.uid().equals(after.uid()) ->
            queue.add(new Work.Report(key)); // its status was written, by us or somebody else
        case Change.Added(_, _), Change.Updated(_, _, _), Change.Removed(_, _) -> everythingSoon();
      }
    }
  }
}
