package dev.mooring.depcontroller.control;

import dev.mooring.depcontroller.guard.GuardBoard;
import dev.mooring.depcontroller.guard.GuardSettingsSource;
import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.rules.RuleCatalog;
import dev.mooring.depcontroller.status.RuleStatusWriter;
import dev.mooring.depcontroller.workspace.WorkspaceDirectory;
import dev.mooring.depcontroller.workspace.decide.Resolution;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeConnection;
import dev.mooring.runtime.export.ExportListener;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.queue.Next;
import dev.mooring.runtime.queue.QueueListener;
import dev.mooring.runtime.queue.QueueOptions;
import dev.mooring.runtime.queue.QueueStatus;
import dev.mooring.runtime.queue.WorkQueue;
import dev.mooring.runtime.time.SystemTime;
import dev.mooring.runtime.watch.Change;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps every provider's webhook configuration and every rule's status in line with the rules.
 *
 * <pre>
 *   rule, endpoint, workspace, binding, CA ──▶ Everything ──▶ Guard(provider)…, Report(rule)…
 *   webhook configuration ───────────────────────────────────▶ Guard(provider) ──▶ Report(rule)…
 * </pre>
 *
 * Events only say that something is to be looked at again; what is to be done follows from what is
 * there then. Thread-safe.
 */
public final class DependencyController implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DependencyController.class);

  private final ExportView view;
  private final RuleCatalog rules;
  private final WorkspaceDirectory directory;
  private final GuardBoard board = new GuardBoard();
  private final ProviderWorkspaceReconciler guards;
  private final RuleStatusWriter statuses;
  private final WorkQueue<Work> queue;
  private final Duration resyncPeriod;
  private final BooleanSupplier leads;

  /** Events arrive while the parts above are still being made; work waits until all are there. */
  private volatile boolean started;

  private DependencyController(
      KubeConnection kcp,
      String export,
      GuardSettingsSource settings,
      int workers,
      Duration resyncPeriod,
      BooleanSupplier leads) {
    this.resyncPeriod = resyncPeriod;
    this.leads = leads;
    this.queue =
        WorkQueue.start("guard", QueueOptions.workers(workers), this::work, new FailureLog());
    this.directory = new WorkspaceDirectory(kcp::client, this::resync);
    this.view =
        ExportView.start(
            kcp,
            export,
            List.of(DependencyRule.TYPE, ProviderWorkspaceReconciler.CONFIGURATIONS),
            new Events());
    this.rules = new RuleCatalog(() -> view.all(DependencyRule.TYPE));
    this.guards =
        new ProviderWorkspaceReconciler(
            view, rules, directory, settings, board, this::reportRulesAbout);
    this.statuses = new RuleStatusWriter(view, directory, board, SystemTime.clock());
  }

  /**
   * @param kcp whose context points at the workspace of the export
   * @param resyncPeriod after which everything is looked at again even if nothing happened
   * @param leads whether this process may write now; {@link #resync()} once it may
   */
  public static DependencyController start(
      KubeConnection kcp,
      String export,
      GuardSettingsSource settings,
      int workers,
      Duration resyncPeriod,
      BooleanSupplier leads) {
    var controller = new DependencyController(kcp, export, settings, workers, resyncPeriod, leads);
    controller.started = true;
    controller.resync();
    return controller;
  }

  /** Everything is looked at again soon. */
  public void resync() {
    queue.add(new Work.Everything());
  }

  /** One provider's configuration is looked at again soon. */
  public void resync(LogicalCluster provider) {
    queue.add(new Work.Guard(provider));
  }

  /** What is known, for reports. */
  public Overview overview() {
    return new Overview(
        leads.getAsBoolean(),
        view.state(),
        rules.readings(),
        directory.resolutions(),
        directory.describe(),
        board.all(),
        queue.status(),
        view.describe());
  }

  /** What the controller knows. */
  public record Overview(
      boolean leads,
      ExportState state,
      List<RuleReading> rules,
      Map<WorkspacePath, Resolution> resolutions,
      Map<String, String> parents,
      Map<LogicalCluster, Installation> installations,
      QueueStatus queue,
      Map<String, Object> endpoints) {}

  /** Ends the watches, then waits for work under way. Idempotent. */
  @Override
  public void close() {
    view.close();
    directory.close();
    queue.close();
  }

  private Next work(Work work) {
    if (!started) {
      return new Next.After(Duration.ofMillis(50));
    }
    return switch (work) {
      case Work.Everything() -> everything();
      case Work.Guard(var provider) ->
          leads.getAsBoolean() ? guards.reconcile(provider) : new Next.OnEvent();
      case Work.Report(var rule) ->
          leads.getAsBoolean() ? statuses.report(rule) : new Next.OnEvent();
    };
  }

  private Next everything() {
    switch (view.state()) {
      case ExportState.Waiting(var reason) -> LOG.debug("Waiting: {}", reason);
      case ExportState.Ready() -> {
        directory.follow(RuleCatalog.paths(rules.valid()));
        providers().forEach(provider -> queue.add(new Work.Guard(provider)));
        rules.readings().forEach(rule -> queue.add(new Work.Report(rule.key())));
      }
    }
    return new Next.After(resyncPeriod);
  }

  /** Those that rules lead to, and those that are protected, or were when last looked at. */
  private TreeSet<LogicalCluster> providers() {
    var providers = new TreeSet<>(board.all().keySet());
    directory
        .resolutions()
        .forEach((_, resolution) -> {
          if (resolution instanceof Resolution.Known(var cluster)) {
            providers.add(cluster);
          }
        });
    for (KubeObject found : view.all(ProviderWorkspaceReconciler.CONFIGURATIONS)) {
      if (found.name().equals(GuardSettings.CONFIGURATION)) {
        found.logicalCluster().ifPresent(providers::add);
      }
    }
    return providers;
  }

  private void reportRulesAbout(LogicalCluster provider) {
    SortedMap<WorkspacePath, Resolution> resolutions = directory.resolutions();
    for (DependencyRule rule : rules.valid()) {
      boolean about =
          rule.dependencies().stream()
              .map(dependency -> resolutions.get(dependency.export().path()))
              .anyMatch(new Resolution.Known(provider)::equals);
      if (about) {
        queue.add(new Work.Report(rule.key()));
      }
    }
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
        queue.add(new Work.Everything()); // a provider bound the export, or changed what it accepts
      }
    }

    @Override
    public void stateChanged() {
      queue.add(new Work.Everything());
    }

    private void ruleChanged(Change change) {
      ObjectKey key = change.key();
      switch (change) {
        case Change.Updated(_, var before, var after)
            when before.generation() == after.generation() && before.uid().equals(after.uid()) ->
            queue.add(new Work.Report(key)); // its status was written, by us or somebody else
        case Change.Added(_, _), Change.Updated(_, _, _), Change.Removed(_, _) ->
            queue.add(new Work.Everything());
      }
    }
  }

  /** Says what failed, loudly only at first. */
  private static final class FailureLog implements QueueListener<Work> {
    @Override
    public void succeeded(Work work, Duration took) {
      LOG.trace("{} took {}", work, took);
    }

    @Override
    public void failed(Work work, Exception cause, int failures, Duration retryAfter) {
      if (failures == 2) {
        LOG.warn("{} failed, next try in {}: {}", work, retryAfter, cause.getMessage());
      } else {
        LOG.debug("{} failed {} times, next in {}", work, failures, retryAfter, cause);
      }
    }
  }
}
