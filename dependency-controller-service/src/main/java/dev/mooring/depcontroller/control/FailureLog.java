package dev.mooring.depcontroller.control;

import dev.mooring.depcontroller.control.DependencyController.Work;
import dev.mooring.depcontroller.guard.ProviderWorkspaceReconciler;
import dev.mooring.depcontroller.guard.decide.GuardSettings;
import dev.mooring.model.dependency.GroupResource;
import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.identity.WorkspacePath;
import dev.mooring.runtime.log.LogFields;
import dev.mooring.runtime.queue.QueueListener;
import java.time.Duration;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failed work, as a warning only once in a row.
 *
 * @param paths of workspaces, as far as kcp publishes them
 */
record FailureLog(Supplier<Map<LogicalCluster, WorkspacePath>> paths)
    implements QueueListener<Work> {
  private static final Logger LOG = LoggerFactory.getLogger(FailureLog.class);

  @Override
  public LogFields about(Work work) {
    return switch (work) {
      case Work.Everything(), Work.Rights() -> LogFields.NONE;
      case Work.Guard(var provider) ->
          inWorkspace(
              paths.get().get(provider),
              LogFields.NONE.object(
                  GroupResource.of(ProviderWorkspaceReconciler.CONFIGURATIONS),
                  new ObjectKey(provider, "", GuardSettings.CONFIGURATION)));
      case Work.Report(var rule) -> about(rule, paths.get());
    };
  }

  static LogFields about(ObjectKey rule, Map<LogicalCluster, WorkspacePath> paths) {
    return inWorkspace(paths.get(rule.cluster()), LogFields.NONE.rule(rule));
  }

  private static LogFields inWorkspace(@Nullable WorkspacePath path, LogFields fields) {
    return path == null ? fields : fields.workspace(path.toString());
  }

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
