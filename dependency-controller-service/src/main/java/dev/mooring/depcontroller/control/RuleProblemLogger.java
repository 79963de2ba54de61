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
 * Names in the log the rules that protect nothing, or may not, once each: where the schema has no
 * status, nothing else tells their authors. For one thread at a time.
 */
final class RuleProblemLogger {
  private static final Logger LOG = LoggerFactory.getLogger(RuleProblemLogger.class);

  private Map<ObjectKey, RuleProblem> told = Map.of();

  /**
   * @param now all that there are
   * @param paths of workspaces, as far as they are known
   */
  void tell(SortedMap<ObjectKey, RuleProblem> now, Map<LogicalCluster, WorkspacePath> paths) {
    now.forEach((rule, ruleProblem) -> {
      if (!ruleProblem.equals(told.get(rule))) {
        LOG.warn("Rule {} {}", named(rule, paths), ruleProblem.text());
      }
    });
    told.keySet().stream()
        .filter(rule -> !now.containsKey(rule))
        .forEach(rule -> LOG.info("Rule {} is gone, or counts now", named(rule, paths)));
    told = now;
  }

  /** By the path of its workspace, if that is known. */
  private static String named(ObjectKey rule, Map<LogicalCluster, WorkspacePath> paths) {
    WorkspacePath path = paths.get(rule.cluster());
    return path == null ? rule.toString() : rule.name() + " in " + path;
  }
}
