package dev.mooring.depcontroller.control;

import dev.mooring.depcontroller.rules.decide.RuleProblem;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import java.util.Map;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs each rule that is partly or fully ineffective once: where the schema has no status, its
 * author has no other sign. For one thread at a time.
 */
final class RuleProblemLogger {
  private static final Logger LOG = LoggerFactory.getLogger(RuleProblemLogger.class);

  private Map<ObjectKey, RuleProblem> logged = Map.of();

  /**
   * @param now the problems of all rules
   * @param paths of workspaces, as far as kcp publishes them
   */
  void log(SortedMap<ObjectKey, RuleProblem> now, Map<LogicalCluster, WorkspacePath> paths) {
    now.forEach((rule, ruleProblem) -> {
      if (!ruleProblem.equals(logged.get(rule))) {
        try (var _ = FailureLog.about(rule, paths).open()) {
          LOG.warn("Rule {} {}", named(rule, paths), ruleProblem.text());
        }
      }
    });
    logged.keySet().stream()
        .filter(rule -> !now.containsKey(rule))
        .forEach(rule -> {
          try (var _ = FailureLog.about(rule, paths).open()) {
            LOG.info("Rule {} was deleted or is effective now", named(rule, paths));
          }
        });
    logged = now;
  }

  /** By the path of its workspace, if that is known. */
  private static String named(ObjectKey rule, Map<LogicalCluster, WorkspacePath> paths) {
    WorkspacePath path = paths.get(rule.cluster());
    return path == null ? rule.toString() : rule.name() + " in " + path;
  }
}
