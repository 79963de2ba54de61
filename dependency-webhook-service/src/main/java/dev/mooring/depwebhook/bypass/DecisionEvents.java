package dev.mooring.depwebhook.bypass;

import dev.mooring.model.identity.LogicalCluster;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.event.EventNote;
import dev.mooring.runtime.event.EventRecorder;
import java.util.List;
import java.util.function.Function;

/**
 * Records Events in the consumer's workspace about deletions that rules did not stop. Never blocks.
 */
public final class DecisionEvents {
  public static final String BYPASSED = "ProtectionBypassed";
  public static final String REFERENCED = "DeletedWhileReferenced";

  private final EventRecorder events;
  private final Function<LogicalCluster, KubeClient> workspaces;

  public DecisionEvents(EventRecorder events, Function<LogicalCluster, KubeClient> workspaces) {
    this.events = events;
    this.workspaces = workspaces;
  }

  /**
   * @param user who deletes the target
   * @param rules qualified names of the bypassed rules
   */
  public void bypassed(LogicalCluster cluster, KubeObject target, String user, List<String> rules) {
    events.record(
        workspaces.apply(cluster),
        EventNote.warning(
            target,
            BYPASSED,
            "deleted by %s without regard to rule %s".formatted(user, String.join(", ", rules))));
  }

  /** By a rule of mode Audit. */
  public void audited(LogicalCluster cluster, KubeObject target, String message) {
    events.record(workspaces.apply(cluster), EventNote.warning(target, REFERENCED, message));
  }
}
