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

  /** What was read for one judgement. */
  private final class Readings {
    private final Target target;
    private final Map<String, ExportReading> exports = new HashMap<>();

    Readings(Target target) {
      this.target = target;
    }

    boolean counts(Protection protection) {
      DependencyRule rule = protection.rule();
      DependencyRule.ExportReference export = protection.dependency().export();
      String own = rule.dependent().apiExportName();
      ExportReading dependents =
          exports.computeIfAbsent(
              rule.key().cluster() + "/" + own,
              _ -> read(() -> clusters.apply(rule.key().cluster()), own, rule.key().cluster()));
      ExportReading targets =
          exports.computeIfAbsent(
              export.path() + "/" + export.name(),
              _ -> read(() -> exporters.apply(export), export.name(), export.path()));
      Authority authority = Authority.of(rule, protection.dependency(), dependents, targets);
      if (!authority.counts()) {
        LOG.info("Rule {} does not count: {}", rule.qualifiedName(), authority);
        return false;
      }
      return identified(protection);
    }

    private boolean identified(Protection protection) {
      DependencyRule rule = protection.rule();
      LogicalCluster consumer = target.key().cluster();
      try {
        KubeReader workspace = clusters.apply(consumer);
        List<Binding> found =
            rule.dependent().isCore()
                ? bindings.all(workspace, consumer)
                : bindings.explaining(
                    workspace,
                    consumer,
                    List.of(GroupResource.of(rule.dependent().type()), target.type()));
        boolean meant =
            Identity.dependentsMayBeMeant(rule, found)
                && Identity.targetMayBeMeant(protection, found, paths::of);
        if (!meant) {
          LOG.info(
              "Rule {} does not count in {}: its objects are of other exports",
              rule.qualifiedName(),
              consumer);
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
