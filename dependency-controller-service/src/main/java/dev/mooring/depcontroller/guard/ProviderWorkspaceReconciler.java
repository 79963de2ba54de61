package dev.mooring.depcontroller.guard;

import dev.mooring.depcontroller.guard.decide.GuardPlan;
import dev.mooring.depcontroller.guard.decide.GuardPlanner;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.depcontroller.guard.decide.Installation;
import dev.mooring.depcontroller.guard.decide.Installation.Blocked;
import dev.mooring.depcontroller.guard.decide.Installation.Cause;
import dev.mooring.depcontroller.guard.decide.Installation.Installed;
import dev.mooring.depcontroller.guard.decide.NarrowedClaim;
import dev.mooring.depcontroller.guard.decide.ProtectedResources;
import dev.mooring.depcontroller.guard.decide.RefusedWrite;
import dev.mooring.depcontroller.guard.decide.Unbound;
import dev.mooring.depcontroller.rules.ResolvedRulesCache;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.queue.Next;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings one provider's webhook configuration in line with all rules. Remembers nothing but whose
 * configuration it cannot tell from the view alone, so restarts, edited rules and rules that were
 * deleted meanwhile need no special case.
 */
public final class ProviderWorkspaceReconciler {
  /** The type of what is installed. */
  public static final ResourceType CONFIGURATIONS = GuardWriter.CONFIGURATIONS;

  /** By which providers accept that. */
  public static final ResourceType BINDINGS =
      new ResourceType("apis.kcp.io", "v1alpha2", "apibindings");

  private static final Logger LOG = LoggerFactory.getLogger(ProviderWorkspaceReconciler.class);

  /** An accepted claim shows as a changed binding; this is for what does not show. */
  private static final Duration FORBIDDEN_RECHECK = Duration.ofSeconds(30);

  private final ExportView view;
  private final ResolvedRulesCache resolvedRules;
  private final GuardSettingsSource settings;
  private final InstallationStatuses installations;
  private final Consumer<LogicalCluster> changed;

  /**
   * Where the view may show a configuration as it was before a write, one's own or another
   * replica's: until it shows what is there, that is read. A name for each provider at most.
   */
  private final Set<LogicalCluster> staleInCache = ConcurrentHashMap.newKeySet();

  /**
   * @param changed is told of providers whose entry on the installations is new
   */
  public ProviderWorkspaceReconciler(
      ExportView view,
      ResolvedRulesCache resolvedRules,
      GuardSettingsSource settings,
      InstallationStatuses installations,
      Consumer<LogicalCluster> changed) {
    this.view = view;
    this.resolvedRules = resolvedRules;
    this.settings = settings;
    this.installations = installations;
    this.changed = changed;
  }

  /** Those that have a configuration, whether or not a rule is about them still. */
  public SortedSet<LogicalCluster> guarded() {
    var guarded = new TreeSet<LogicalCluster>();
    for (KubeObject found : view.all(CONFIGURATIONS)) {
      if (found.name().equals(GuardSettings.CONFIGURATION)) {
        found.logicalCluster().ifPresent(guarded::add);
      }
    }
    return guarded;
  }

  public Next reconcile(LogicalCluster provider) {
    if (!(view.state() instanceof ExportState.Ready)) {
      return new Next.OnEvent(); // everything is looked at again once all rules are known
    }
    var wanted = ProtectedResources.in(provider, resolvedRules.current());
    Optional<KubeClient> workspace = view.client(provider);
    if (workspace.isEmpty()) {
      reportUnbound(provider, wanted);
      return new Next.OnEvent();
    }
    try {
      reconcile(provider, wanted, workspace.get());
      return new Next.OnEvent();
    } catch (IllegalStateException unusable) { // settings that cannot be read
      report(provider, wanted, new Blocked(Cause.WRITE_FAILED, unusable.getMessage()));
      throw unusable;
    } catch (KubeFailure failure) {
      return switch (failure.kind()) {
        case FORBIDDEN -> {
          report(
              provider, wanted, narrowed(provider).orElseGet(() -> forbidden(provider, failure)));
          yield new Next.After(FORBIDDEN_RECHECK);
        }
        case ALREADY_EXISTS -> {
          Optional<Blocked> hidden = narrowed(provider);
          if (hidden.isEmpty()) {
            throw failure; // the view is behind: look again
          }
          report(provider, wanted, hidden.get());
          yield new Next.After(FORBIDDEN_RECHECK);
        }
        case CONFLICT -> throw failure; // as above
        case NOT_FOUND, NOT_SERVED, INVALID, UNAUTHORIZED, GONE, TOO_LARGE, UNAVAILABLE -> {
          report(provider, wanted, new Blocked(Cause.WRITE_FAILED, failure.getMessage()));
          throw failure;
        }
      };
    }
  }

  /** Another replica looks after it, and only that one knows what becomes of it. */
  public Next leave(LogicalCluster provider) {
    staleInCache.add(provider);
    installations.remove(provider);
    reportShrinkBlockedBy(provider, Collections.emptySortedSet());
    return new Next.OnEvent();
  }

  /** What a provider leaves behind that unbinds shows still, and cannot be removed any more. */
  private void reportUnbound(LogicalCluster provider, ProtectedResources wanted) {
    reportShrinkBlockedBy(provider, Collections.emptySortedSet()); // it is not that which keeps it
    Optional<KubeObject> left = shown(provider);
    Installation unbound = Unbound.from(provider, left);
    if (left.isEmpty()) {
      report(provider, wanted, unbound);
    } else if (installations.put(provider, unbound)) {
      LOG.warn("A provider left without its webhook configuration: {}", unbound);
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
    // That neither shows one tells nothing: what came and went meanwhile may be shown yet.
    if (there.isPresent()
        && there.map(KubeObject::resourceVersion).equals(shown.map(KubeObject::resourceVersion))) {
      staleInCache.remove(provider);
    }
    return there;
  }

  private void reconcile(LogicalCluster provider, ProtectedResources wanted, KubeClient workspace) {
    Optional<KubeObject> actual = configuration(provider, workspace);
    GuardSettings current = settings.current();
    GuardPlan plan = GuardPlanner.plan(provider, wanted, current, actual);
    if (!(plan instanceof GuardPlan.InSync)) {
      staleInCache.add(
          provider); // before, as a write whose answer is lost may have been carried out
    }
    GuardWriter.execute(plan, provider, workspace);
    reportShrinkBlockedBy(
        provider, GuardPlanner.shrinkBlockedBy(provider, wanted, current, actual));
    report(provider, wanted, new Installed(wanted.coverage(), current.failurePolicy()));
  }

  private void reportShrinkBlockedBy(LogicalCluster provider, SortedSet<ObjectKey> rules) {
    if (installations.putShrinkBlockedBy(provider, rules) && !rules.isEmpty()) {
      LOG.info(
          "Provider {} stays protected as it was while the paths or exports of these rules, which"
              + " may be about it, are not known: {}",
          provider,
          rules);
    }
  }

  private void report(
      LogicalCluster provider, ProtectedResources wanted, Installation installation) {
    boolean news =
        wanted.coverage().isEmpty()
            ? installations.remove(provider)
            : installations.put(provider, installation);
    if (news) {
      changed.accept(provider);
    }
  }

  private Blocked forbidden(LogicalCluster provider, KubeFailure failure) {
    return failure.isMissingRight()
        ? RefusedWrite.meaning(
            provider,
            bindings(provider),
            view.remedy("get, create, update and delete"),
            failure.getMessage())
        : new Blocked(
            Cause.WRITE_FAILED,
            "admission in the provider's workspace refuses the webhook configuration: "
                + failure.getMessage());
  }

  /** What makes a configuration look as if it were not there. */
  private Optional<Blocked> narrowed(LogicalCluster provider) {
    return NarrowedClaim.in(bindings(provider))
        .map(told -> new Blocked(Cause.CLAIM_NARROWED, told));
  }

  private List<KubeObject> bindings(LogicalCluster provider) {
    return view.all(BINDINGS).stream()
        .filter(binding -> binding.logicalCluster().filter(provider::equals).isPresent())
        .toList();
  }
}
