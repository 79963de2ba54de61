package dev.mooring.depcontroller.status;

import dev.mooring.depcontroller.guard.GuardBoard;
import dev.mooring.depcontroller.rules.LandscapeSource;
import dev.mooring.depcontroller.status.decide.RuleConditions;
import dev.mooring.depcontroller.status.decide.StatusFacts;
import dev.mooring.model.dependency.DependencyRule;
import dev.mooring.model.dependency.DependencyRuleReader;
import dev.mooring.model.dependency.RuleReading;
import dev.mooring.model.identity.ObjectKey;
import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.export.ExportState;
import dev.mooring.runtime.export.ExportView;
import dev.mooring.runtime.queue.Next;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells the author of a rule what became of it. On a schema without a status it says so once, in
 * the log, and everything else goes on.
 */
public final class RuleStatusWriter {
  private static final Logger LOG = LoggerFactory.getLogger(RuleStatusWriter.class);

  /** A rule that settles does so within minutes. */
  private static final Duration SETTLING_RECHECK = Duration.ofSeconds(5);

  private final ExportView view;
  private final LandscapeSource landscape;
  private final GuardBoard board;
  private final InstantSource clock;
  private final AtomicBoolean noStatus = new AtomicBoolean();

  public RuleStatusWriter(
      ExportView view, LandscapeSource landscape, GuardBoard board, InstantSource clock) {
    this.view = view;
    this.landscape = landscape;
    this.board = board;
    this.clock = clock;
  }

  public Next report(ObjectKey rule) {
    Optional<KubeObject> found = view.get(DependencyRule.TYPE, rule);
    Optional<KubeClient> workspace = view.client(rule.cluster());
    if (found.isPresent() && workspace.isPresent() && view.state() instanceof ExportState.Ready) {
      return report(found.get(), workspace.get());
    }
    return new Next.OnEvent();
  }

  private Next report(KubeObject rule, KubeClient workspace) {
    RuleReading reading = DependencyRuleReader.read(rule);
    var facts = new StatusFacts(landscape.current(), board.all(), landscape.cycles());
    if (noStatus.get() || !RuleConditions.known(reading, facts)) {
      return new Next.OnEvent();
    }
    Map<String, Object> status = RuleConditions.status(reading, facts, rule, clock.instant());
    if (!status.equals(rule.map("status"))) {
      write(rule, status, workspace);
    }
    return RuleConditions.settling(status) ? new Next.After(SETTLING_RECHECK) : new Next.OnEvent();
  }

  private void write(KubeObject rule, Map<String, Object> status, KubeClient workspace) {
    var patch =
        Map.<String, Object>of(
            "metadata", Map.of("resourceVersion", rule.resourceVersion()), "status", status);
    try {
      workspace.patchStatus(DependencyRule.TYPE, "", rule.name(), patch);
    } catch (KubeFailure failure) {
      switch (failure.kind()) {
        case NOT_FOUND -> {} // deleted meanwhile
        case NOT_SERVED -> {
          if (noStatus.compareAndSet(false, true)) {
            LOG.warn(
                "The schema of DependencyRule has no status, so none is written; apply the"
                    + " APIResourceSchema of this release to see conditions");
          }
        }
        case ALREADY_EXISTS,
            CONFLICT,
            INVALID,
            FORBIDDEN,
            UNAUTHORIZED,
            GONE,
            TOO_LARGE,
            UNAVAILABLE ->
            throw failure;
      }
    }
  }
}
