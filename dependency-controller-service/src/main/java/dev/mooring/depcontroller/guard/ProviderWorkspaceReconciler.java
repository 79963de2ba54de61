package dev.mooring.depcontroller.guard;

import dev.mooring.depcontroller.guard.decide.BlockedWrite;
import dev.mooring.depcontroller.guard.decide.GuardPlan;
import dev.mooring.depcontroller.guard.decide.GuardPlanner;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Cause;
import dev.mooring.depcontroller.guard.decide.Installation.Installed;
import dev.mooring.depcontroller.guard.decide.ProtectedResources;
import dev.mooring.depcontroller.rules.ResolvedRulesCache;
import dev.mooring.depcontroller.rules.decide.ResolvedRules;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.queue.ReconcileResult;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reconciles one provider's webhook configuration with all rules. Its only memory is where the
 * cache may be stale, so restarts, edited and deleted rules need no special case.
 */
public final class ProviderWorkspaceReconciler {
  /** Installed in providers' workspaces. */
  public static final ResourceType CONFIGURATIONS = GuardWriter.CONFIGURATIONS;

  /** By which providers accept the permission claim. */
  public static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  private static final Logger LOG = LoggerFactory.getLogger(ProviderWorkspaceReconciler.class);

  /** An accepted claim changes a binding; a granted right causes no event. */
  private static final Duration FORBIDDEN_RECHECK = Duration.ofSeconds(30);

  private final ExportView view;
  private final ResolvedRulesCache resolvedRules;
  private final Supplier<GuardSettings> settings;
  private final Consumer<LogicalCluster> changed;

  /** The outcome of each provider's last reconciliation. For reports only: no decision uses it. */
  private final SortedMap<LogicalCluster, Installation> installations =
      new ConcurrentSkipListMap<>();

  private final SortedMap<LogicalCluster, SortedSet<ObjectKey>> shrinkBlockedBy =
      new ConcurrentSkipListMap<>();

  /**
   * Providers whose configuration the cache may hold as it was before a write of this or another
   * replica. Until the cache shows the live version, the live one is read.
   */
  private final Set<LogicalCluster> staleInCache = ConcurrentHashMap.newKeySet();

  /** The rules of the last sweep. */
  private volatile ResolvedRules swept = ResolvedRules.EMPTY;

  /** Providers that may have been reconciled with other rules than those. */
  private final Set<LogicalCluster> ahead = ConcurrentHashMap.newKeySet();

  /**
   * @param changed receives providers whose installation changed
   */
  public ProviderWorkspaceReconciler(
      ExportView view,
      ResolvedRulesCache resolvedRules,
      Supplier<GuardSettings> settings,
      Consumer<LogicalCluster> changed) {
    this.view = view;
    this.resolvedRules = resolvedRules;
    this.settings = settings;
    this.changed = changed;
  }

  /** Providers that have a webhook configuration, with or without rules. */
  public SortedSet<LogicalCluster> guarded() {
    return guarded((_, _) -> true);
  }

  /**
   * The providers whose webhook configuration has an entry without this segment in its URL; empty
   * while configurations are not listed.
   *
   * @param segment of each provider
   */
  public Optional<SortedSet<LogicalCluster>> guardedWithout(
      Function<LogicalCluster, String> segment) {
    return view.state() instanceof ExportState.Ready
        ? Optional.of(
            guarded(
                (provider, found) -> !GuardPlanner.everyEntryHas(segment.apply(provider), found)))
        : Optional.empty();
  }

  private SortedSet<LogicalCluster> guarded(BiPredicate<LogicalCluster, KubeObject> counted) {
    var guarded = new TreeSet<LogicalCluster>();
    for (KubeObject found : view.all(CONFIGURATIONS)) {
      if (found.name().equals(GuardSettings.CONFIGURATION)) {
        found
            .logicalCluster()
            .filter(provider -> counted.test(provider, found))
            .ifPresent(guarded::add);
      }
    }
    return guarded;
  }

  /** The outcome of each provider's last reconciliation. */
  public Map<LogicalCluster, Installation> installations() {
    return Collections.unmodifiableMap(installations);
  }

  /** The providers that have to be reconciled because the rules of this sweep are others. */
  public List<LogicalCluster> changed(Collection<LogicalCluster> providers, ResolvedRules now) {
    ResolvedRules before = swept;
    swept = now;
    return providers.stream()
        .filter(provider ->
            ahead.contains(provider)
                || !ProtectedResources.in(provider, now)
                    .equals(ProtectedResources.in(provider, before)))
        .toList();
  }

  /** The unresolved rules that keep the protection of providers from shrinking. */
  public Map<LogicalCluster, SortedSet<ObjectKey>> shrinkBlockedBy() {
    return new TreeMap<>(shrinkBlockedBy);
  }

  public ReconcileResult reconcile(LogicalCluster provider) {
    if (!(view.state() instanceof ExportState.Ready)) {
      return new ReconcileResult.Done(); // everything is enqueued once all rules are listed
    }
    ahead.add(provider); // first: a sweep that ends meanwhile enqueues it again
    ResolvedRules rules = resolvedRules.current();
    if (rules == swept) {
      ahead.remove(provider);
    }
    var wanted = ProtectedResources.in(provider, rules);
    Optional<KubeClient> workspace = view.client(provider);
    if (workspace.isEmpty()) {
      reportUnbound(provider, wanted);
      return new ReconcileResult.Done();
    }
    try {
      reconcile(provider, wanted, workspace.get());
      return new ReconcileResult.Done();
    } catch (IllegalStateException unusable) { // unreadable settings
      report(
          provider, wanted, new Blocked(Cause.WRITE_FAILED, String.valueOf(unusable.getMessage())));
      throw unusable;
    } catch (KubeFailure failure) {
      return switch (failure.kind()) {
        case FORBIDDEN -> {
          report(
              provider, wanted, narrowed(provider).orElseGet(() -> forbidden(provider, failure)));
          yield new ReconcileResult.RequeueAfter(FORBIDDEN_RECHECK);
        }
        case ALREADY_EXISTS -> {
          Optional<Blocked> hidden = narrowed(provider);
          if (hidden.isEmpty()) {
            throw failure; // the cache is stale: retry
          }
          report(provider, wanted, hidden.get());
          yield new ReconcileResult.RequeueAfter(FORBIDDEN_RECHECK);
        }
        case CONFLICT -> throw failure; // as above
        case NOT_FOUND, NOT_SERVED, INVALID, UNAUTHORIZED, GONE, TOO_LARGE, UNAVAILABLE -> {
          report(provider, wanted, new Blocked(Cause.WRITE_FAILED, failure.getMessage()));
          throw failure;
        }
      };
    }
  }

  /** Forgets what another replica, the leader, may change. */
  public ReconcileResult release(LogicalCluster provider) {
    staleInCache.add(provider);
    installations.remove(provider);
    shrinkBlockedBy.remove(provider);
    return new ReconcileResult.Done();
  }

  /** After an unbind kcp still shows the configuration, but does not let it be removed. */
  private void reportUnbound(LogicalCluster provider, ProtectedResources wanted) {
    shrinkBlockedBy.remove(provider); // no rule keeps it
    Optional<KubeObject> left = shown(provider);
    Installation unbound = BlockedWrite.unbound(provider, left);
    if (left.isEmpty()) {
      report(provider, wanted, unbound);
    } else if (!unbound.equals(installations.put(provider, unbound))) {
      LOG.warn("A provider unbound, and its webhook configuration remains: {}", unbound);
      changed.accept(provider);
    }
  }

  private Optional<KubeObject> shown(LogicalCluster provider) {
    return view.get(CONFIGURATIONS, new ObjectKey(provider, "", GuardSettings.CONFIGURATION));
  }

  private Optional<KubeObject> configuration(LogicalCluster provider, KubeReader workspace) {
    Optional<KubeObject> shown = shown(provider);
    if (!staleInCache.contains(provider)) {
      return shown;
    }
    Optional<KubeObject> there = workspace.find(CONFIGURATIONS, "", GuardSettings.CONFIGURATION);
    // Two absences prove nothing: the cache may still receive a create and a delete.
    if (there.isPresent()
        && there.map(KubeObject::resourceVersion).equals(shown.map(KubeObject::resourceVersion))) {
      staleInCache.remove(provider);
    }
    return there;
  }

  private void reconcile(LogicalCluster provider, ProtectedResources wanted, KubeClient workspace) {
    Optional<KubeObject> actual = configuration(provider, workspace);
    GuardSettings current = settings.get();
    GuardPlan plan = GuardPlanner.plan(provider, wanted, current, actual);
    if (!(plan instanceof GuardPlan.InSync)) {
      staleInCache.add(provider); // first: a write whose response is lost may have been executed
    }
    GuardWriter.execute(plan, provider, workspace);
    reportShrinkBlockedBy(
        provider, GuardPlanner.shrinkBlockedBy(provider, wanted, current, actual));
    report(provider, wanted, new Installed(wanted.coverage(), current.failurePolicy()));
  }

  private void reportShrinkBlockedBy(LogicalCluster provider, SortedSet<ObjectKey> rules) {
    if (rules.isEmpty()) {
      shrinkBlockedBy.remove(provider);
    } else if (!rules.equals(shrinkBlockedBy.put(provider, rules))) {
      LOG.info(
          "Stale protection of provider {} is kept until these rules, which may name it, can be"
              + " resolved: {}",
          provider,
          rules);
    }
  }

  private void report(
      LogicalCluster provider, ProtectedResources wanted, Installation installation) {
    boolean news =
        wanted.coverage().isEmpty()
            ? installations.remove(provider) != null
            : !installation.equals(installations.put(provider, installation));
    if (news) {
      changed.accept(provider);
    }
  }

  private Blocked forbidden(LogicalCluster provider, KubeFailure failure) {
    return failure.isMissingRight()
        ? BlockedWrite.refused(
            provider,
            bindings(provider),
            view.remedy("get, create, update and delete"),
            failure.getMessage())
        : new Blocked(
            Cause.WRITE_FAILED,
            "admission in the provider's workspace rejects the webhook configuration: "
                + failure.getMessage());
  }

  /** The selector of a claim that hides the configuration. */
  private Optional<Blocked> narrowed(LogicalCluster provider) {
    return BlockedWrite.narrowed(bindings(provider));
  }

  private List<KubeObject> bindings(LogicalCluster provider) {
    return view.all(BINDINGS).stream()
        .filter(binding -> binding.logicalCluster().filter(provider::equals).isPresent())
        .toList();
  }
}
