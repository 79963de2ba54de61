package dev.mooring.depwebhook.standing;

import dev.mooring.depwebhook.rules.ProviderPaths;
import dev.mooring.depwebhook.rules.decide.Protection;
import dev.mooring.depwebhook.standing.decide.Binding;
import dev.mooring.depwebhook.standing.decide.Identity;
import dev.mooring.model.dependency.Authority;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.ExportFacts;
import dev.mooring.model.dependency.ExportReading;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.dependency.Target;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.client.KubeReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Judges by what kcp has at that moment whether a rule may keep a target: its author and the
 * target's provider really export what it names, the provider lets the author refer to it, and the
 * consumer's objects are of these very exports. All of it can only turn a refusal into leave, so
 * nothing of it is remembered, and what cannot be read takes nothing away. Thread-safe; each {@link
 * Standing} is not.
 */
public final class RuleStandings {
  private static final Logger LOG = LoggerFactory.getLogger(RuleStandings.class);

  private final Function<LogicalCluster, KubeReader> clusters;
  private final Function<DependencyRule.ExportReference, KubeReader> exporters;
  private final ProviderPaths paths;
  private final ConsumerBindings bindings = new ConsumerBindings();

  /**
   * @param clusters reads of one logical cluster
   * @param exporters reads of the workspace that an export is said to be in
   */
  public RuleStandings(
      Function<LogicalCluster, KubeReader> clusters,
      Function<DependencyRule.ExportReference, KubeReader> exporters,
      ProviderPaths paths) {
    this.clusters = Objects.requireNonNull(clusters, "clusters");
    this.exporters = Objects.requireNonNull(exporters, "exporters");
    this.paths = Objects.requireNonNull(paths, "paths");
  }

  /** For one judgement: everything is read once at most. */
  public Standing about(Target target) {
    var readings = new Readings(target);
    var answers = new HashMap<Protection, Boolean>();
    return protection -> answers.computeIfAbsent(protection, readings::counts);
  }

  /** What was read, or is being read, for one judgement: side by side, as far as it can be. */
  private final class Readings {
    private final Target target;
    private final Map<String, FutureTask<ExportReading>> exports = new HashMap<>();
    private final Map<List<GroupResource>, FutureTask<List<Binding>>> bound = new HashMap<>();

    Readings(Target target) {
      this.target = target;
    }

    boolean counts(Protection protection) {
      DependencyRule rule = protection.rule();
      DependencyRule.ExportReference export = protection.dependency().export();
      String own = rule.dependent().apiExportName();
      FutureTask<ExportReading> dependents =
          exports.computeIfAbsent(
              rule.key().cluster() + "/" + own,
              _ ->
                  begin(() ->
                      read(() -> clusters.apply(rule.key().cluster()), own, rule.key().cluster())));
      FutureTask<ExportReading> targets =
          exports.computeIfAbsent(
              export.path() + "/" + export.name(),
              _ -> begin(() -> read(() -> exporters.apply(export), export.name(), export.path())));
      FutureTask<List<Binding>> found = bound.computeIfAbsent(explained(rule), this::bindings);
      Authority authority =
          Authority.of(rule, protection.dependency(), result(dependents), result(targets));
      if (!authority.counts()) {
        LOG.info("Rule {} does not count: {}", rule.qualifiedName(), authority);
        return false;
      }
      return identified(protection, found);
    }

    /** The types whose bindings say whose objects are meant; empty for all bindings. */
    private List<GroupResource> explained(DependencyRule rule) {
      return rule.dependent().isCore()
          ? List.of()
          : List.of(GroupResource.of(rule.dependent().type()), target.type());
    }

    private FutureTask<List<Binding>> bindings(List<GroupResource> types) {
      LogicalCluster consumer = target.key().cluster();
      return begin(() -> {
        KubeReader workspace = clusters.apply(consumer);
        return types.isEmpty()
            ? bindings.all(workspace, consumer)
            : bindings.explaining(workspace, consumer, types);
      });
    }

    private boolean identified(Protection protection, FutureTask<List<Binding>> bindings) {
      DependencyRule rule = protection.rule();
      try {
        List<Binding> found = result(bindings);
        boolean meant =
            Identity.dependentsMayBeMeant(rule, found)
                && Identity.targetMayBeMeant(protection, found, paths::of);
        if (!meant) {
          LOG.info(
              "Rule {} does not count in {}: its objects are of other exports",
              rule.qualifiedName(),
              target.key().cluster());
        }
        return meant;
      } catch (KubeFailure failure) {
        LOG.warn(
            "Rule {} counts although nobody can tell whose exports the objects are of: {}; let the"
                + " webhook's user get and list apibindings.apis.kcp.io there",
            rule.qualifiedName(),
            failure.getMessage());
        return true;
      }
    }

    private static <T> FutureTask<T> begin(Callable<T> reading) {
      var task = new FutureTask<>(reading);
      Thread.ofVirtual().name("standing").start(task);
      return task;
    }

    /** Throws what the reading threw. */
    private static <T> T result(FutureTask<T> reading) {
      try {
        return reading.get();
      } catch (ExecutionException e) {
        if (e.getCause() instanceof RuntimeException failure) {
          throw failure;
        }
        throw new IllegalStateException(e.getCause());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while a rule's standing was read", e);
      }
    }

    private static ExportReading read(Supplier<KubeReader> workspace, String name, Object where) {
      try {
        return workspace
            .get()
            .find(ExportFacts.TYPE, "", name)
            .<ExportReading>map(found -> new ExportReading.Found(ExportFacts.of(found)))
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
