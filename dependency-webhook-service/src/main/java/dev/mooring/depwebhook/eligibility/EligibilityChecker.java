package dev.mooring.depwebhook.eligibility;

import static dev.mooring.depwebhook.eligibility.decide.WorkspaceState.ACTIVE;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import dev.mooring.depwebhook.eligibility.decide.Binding;
import dev.mooring.depwebhook.eligibility.decide.BindingQuery;
import dev.mooring.depwebhook.eligibility.decide.ExportMatch;
import dev.mooring.depwebhook.eligibility.decide.WorkspaceState;
import dev.mooring.depwebhook.reading.Deadline;
import dev.mooring.depwebhook.reading.PendingRead;
import dev.mooring.depwebhook.reading.Workspaces;
import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.decide.MatchedRule;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.dependency.Consistency;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Mode;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import dev.mooring.runtime.log.LogFields;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether a rule may protect a target, by one read by name, in parallel, of each of: the
 * author's APIExport, the target's APIExport, the consumer's APIBindings of target and dependent,
 * the APIBinding by which the target's provider accepts rules of others, and the workspace's
 * LogicalCluster. An object that cannot be read makes no rule ineligible; an empty answer counts
 * only once the LogicalCluster was read. An indexed rule that was eligible in an active workspace
 * is so for a moment more. Not by watches: a watch may lag, and a rule that is no longer eligible
 * would deny deletions. Thread-safe.
 */
public final class EligibilityChecker {
  private static final Logger LOG = LoggerFactory.getLogger(EligibilityChecker.class);

  /** The type that providers accept a permission claim for: that is their consent. */
  private static final GroupResource CONFIGURATIONS =
      new GroupResource("admissionregistration.k8s.io", "validatingwebhookconfigurations");

  /** More than one replica checks within that time. */
  private static final int CACHED_MAX = 20_000;

  /** No {@code ageMax} is longer. */
  private static final Duration AGE_MAX = Duration.ofMinutes(1);

  private final Workspaces<KubeReader> clusters;
  private final Function<DependencyRule.ExportReference, KubeReader> exporters;
  private final ProviderPaths paths;
  private final BindingQuery.Consent consent;
  private final BindingReader bindings = new BindingReader();
  private final Duration ageMax;
  private final InstantSource clock;

  /**
   * When the reads began by which an indexed rule was eligible, in a workspace that was active.
   * That a rule is not eligible is never cached.
   */
  private final Cache<Checked, Instant> counted =
      CacheBuilder.newBuilder().maximumSize(CACHED_MAX).expireAfterWrite(AGE_MAX).build();

  /** One rule in one version, for one kind of target. */
  private record Checked(
      LogicalCluster consumer,
      GroupResource targets,
      Optional<LogicalCluster> provider,
      MatchedRule protection) {}

  private record BindingsIn(LogicalCluster cluster, List<BindingQuery> queries) {}

  /**
   * @param clusters reads of one logical cluster
   * @param exporters reads of the workspace that an export is said to be in
   * @param export of rules, which providers bind
   * @param ageMax age up to which the eligibility of an indexed rule is reused; zero to check each
   *     time
   * @param clock that does not jump
   */
  public EligibilityChecker(
      Workspaces<KubeReader> clusters,
      Function<DependencyRule.ExportReference, KubeReader> exporters,
      ProviderPaths paths,
      String export,
      Duration ageMax,
      InstantSource clock) {
    this.clusters = clusters;
    this.exporters = exporters;
    this.paths = paths;
    this.consent = new BindingQuery.Consent(CONFIGURATIONS, export);
    this.ageMax = ageMax;
    this.clock = clock;
  }

  /**
   * For one review: no object is read more than once.
   *
   * @param provider who exports the target, and has to agree to rules of others; empty if the
   *     review did not say
   */
  public RuleEligibility eligibilityFor(
      Target target, Optional<LogicalCluster> provider, Deadline deadline) {
    return new Readings(target.key().cluster(), target.type(), provider, deadline);
  }

  /** For one review of a reference to such targets. */
  public RuleEligibility eligibilityIn(
      LogicalCluster consumer, GroupResource targets, Deadline deadline) {
    return new Readings(consumer, targets, Optional.empty(), deadline);
  }

  /** Reads that were begun for one review. */
  private final class Readings implements RuleEligibility {
    private final LogicalCluster consumer;
    private final GroupResource targets;
    private final Optional<LogicalCluster> provider;

    /** Of what the review waits for. */
    private final Deadline deadline;

    private final Map<String, PendingRead<ExportReading>> exports = new HashMap<>();
    private final Map<BindingsIn, PendingRead<List<Binding>>> bound = new HashMap<>();
    private final Map<MatchedRule, PendingRead<Boolean>> answers = new HashMap<>();
    private @Nullable PendingRead<WorkspaceState> workspace;
    private boolean wasActiveLately;

    Readings(
        LogicalCluster consumer,
        GroupResource targets,
        Optional<LogicalCluster> provider,
        Deadline deadline) {
      this.consumer = consumer;
      this.targets = targets;
      this.provider = provider;
      this.deadline = deadline;
    }

    @Override
    public boolean isEligible(MatchedRule protection) {
      return answer(protection).result(deadline);
    }

    @Override
    public void prefetch(MatchedRule protection) {
      answer(protection);
    }

    @Override
    public WorkspaceState workspace() {
      return workspaceState().result(deadline);
    }

    @Override
    public void prefetchWorkspace() {
      readWorkspace();
    }

    @Override
    public WorkspaceState confirmedWorkspace() {
      return readWorkspace().result(deadline);
    }

    private synchronized PendingRead<WorkspaceState> workspaceState() {
      return workspace == null && wasActiveLately ? PendingRead.of(ACTIVE) : readWorkspace();
    }

    private synchronized PendingRead<WorkspaceState> readWorkspace() {
      if (workspace == null) {
        workspace =
            PendingRead.begin(
                "LogicalCluster", () -> WorkspaceExistence.state(clusters.in(consumer), consumer));
      }
      return workspace;
    }

    private synchronized PendingRead<Boolean> answer(MatchedRule protection) {
      PendingRead<Boolean> begun = answers.get(protection);
      if (begun != null) {
        return begun;
      }
      var asked = new Checked(consumer, targets, provider, protection);
      Instant at = counted.getIfPresent(asked);
      PendingRead<Boolean> answer;
      if (at != null && clock.instant().isBefore(at.plus(ageMax))) {
        wasActiveLately |= protection.mode() == Mode.DENY;
        answer = PendingRead.of(true);
      } else {
        answer = read(asked);
      }
      answers.put(protection, answer);
      return answer;
    }

    private PendingRead<Boolean> read(Checked asked) {
      Instant begin = clock.instant();
      MatchedRule protection = asked.protection();
      Optional<PendingRead<WorkspaceState>> going =
          protection.mode() == Mode.DENY ? Optional.of(readWorkspace()) : Optional.empty();
      DependencyRule rule = protection.rule();
      LogicalCluster author = rule.key().cluster();
      PendingRead<ExportReading> dependents =
          export(rule.dependent().apiExportName(), author, () -> clusters.in(author));
      DependencyRule.ExportReference protectedBy = protection.dependency().export();
      PendingRead<ExportReading> protectedTypes =
          export(protectedBy.name(), protectedBy.path(), () -> exporters.apply(protectedBy));
      PendingRead<List<Binding>> found = bindings(consumer, BindingQuery.by(rule, targets));
      Optional<PendingRead<List<Binding>>> agreed =
          provider
              .filter(other -> !other.equals(author))
              .map(other -> bindings(other, List.of(consent)));
      try (var _ = LogFields.NONE.rules(List.of(rule.qualifiedName())).open()) {
        return PendingRead.begin(
            "the eligibility of rule " + rule.qualifiedName(),
            () -> {
              boolean eligible =
                  authorized(protection, dependents, protectedTypes)
                      && identified(protection, found)
                      && consented(protection, agreed);
              // Strict rules ask for the current state.
              if (eligible
                  && protection.consistency() == Consistency.INDEXED
                  && going.map(PendingRead::result).stream().allMatch(ACTIVE::equals)) {
                counted.put(asked, begin);
              }
              return eligible;
            });
      }
    }

    private PendingRead<ExportReading> export(
        String name, Object where, Supplier<KubeReader> workspace) {
      return exports.computeIfAbsent(
          where + "/" + name,
          _ -> PendingRead.begin("APIExport " + name, () -> read(workspace, name, where)));
    }

    private PendingRead<List<Binding>> bindings(LogicalCluster in, List<BindingQuery> sought) {
      return bound.computeIfAbsent(
          new BindingsIn(in, sought),
          _ ->
              PendingRead.begin(
                  "APIBindings of " + in, () -> bindings.explaining(clusters.in(in), in, sought)));
    }

    private boolean consented(MatchedRule protection, Optional<PendingRead<List<Binding>>> agreed) {
      try {
        boolean accepted = agreed.map(PendingRead::result).map(this::accepted).orElse(true);
        if (!accepted) {
          WorkspaceExistence.require(clusters.in(provider.orElseThrow()));
          LOG.info(
              "Rule {} is not eligible: provider {} no longer accepts the permission claim of {}",
              protection.rule().qualifiedName(),
              provider.orElseThrow(),
              consent.export());
        }
        return accepted;
      } catch (KubeFailure failure) {
        LOG.warn(
            "Rule {} is treated as eligible: the consent of the target's provider could not be"
                + " read: {}; let the webhook's user get and list apibindings.apis.kcp.io there",
            protection.rule().qualifiedName(),
            failure.getMessage());
        return true;
      }
    }

    private boolean accepted(List<Binding> found) {
      return found.stream().anyMatch(consent::isIn);
    }

    private static boolean authorized(
        MatchedRule protection,
        PendingRead<ExportReading> dependents,
        PendingRead<ExportReading> targets) {
      Authority authority =
          Authority.of(
              protection.rule(), protection.dependency(), dependents.result(), targets.result());
      if (!authority.counts()) {
        LOG.info("Rule {} is not eligible: {}", protection.rule().qualifiedName(), authority);
      }
      return authority.counts();
    }

    private boolean identified(MatchedRule protection, PendingRead<List<Binding>> bindings) {
      DependencyRule rule = protection.rule();
      try {
        List<Binding> found = bindings.result();
        boolean meant =
            ExportMatch.dependentsMayBeMeant(rule, found)
                && ExportMatch.targetMayBeMeant(protection, found, paths::of);
        if (!meant && !readWorkspace().result().exists()) {
          LOG.warn(
              "Rule {} is treated as eligible: the exports of the objects of {} could not be read",
              rule.qualifiedName(),
              consumer);
          return true;
        }
        if (!meant) {
          LOG.info(
              "Rule {} is not eligible in {}: the objects there are of other exports",
              rule.qualifiedName(),
              consumer);
        }
        return meant;
      } catch (KubeFailure failure) {
        LOG.warn(
            "Rule {} is treated as eligible: the consumer's APIBindings could not be read: {}; let"
                + " the webhook's user get and list apibindings.apis.kcp.io there",
            rule.qualifiedName(),
            failure.getMessage());
        return true;
      }
    }

    private static ExportReading read(Supplier<KubeReader> workspace, String name, Object where) {
      try {
        KubeReader exporter = workspace.get();
        Optional<KubeObject> found = exporter.find(ExportFacts.TYPE, "", name);
        if (found.isEmpty()) {
          WorkspaceExistence.require(exporter);
        }
        return found
            .<ExportReading>map(export -> new ExportReading.Found(ExportFacts.of(export)))
            .orElseGet(ExportReading.Absent::new);
      } catch (KubeFailure failure) {
        return new ExportReading.Unreadable(
            failure.getMessage()
                + "; let the webhook's user get apiexports.apis.kcp.io in "
                + where);
      }
    }
  }
}
