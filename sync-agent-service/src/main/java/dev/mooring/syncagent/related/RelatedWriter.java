package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.runtime.client.KubeClient;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.syncagent.content.RewriteBackoff;
import dev.mooring.syncagent.content.decide.SyncedContent;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.Progress;
import dev.mooring.syncagent.related.decide.RelatedAction;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Executes actions, and remembers which were refused and which are undone by others. Thread-safe.
 */
final class RelatedWriter {
  private final RelatedExecutor executor;
  private final RewriteBackoff<ObjectRef> rewrites;

  /** By primary, when each action last had no success; greater for a later attempt. */
  private final ConcurrentHashMap<ObjectKey, Map<Subject, Long>> refused =
      new ConcurrentHashMap<>();

  private final AtomicLong attempts = new AtomicLong();

  /**
   * The kind of action, and its object.
   *
   * @param ref empty for the primary itself
   */
  private record Subject(Class<?> action, Optional<ObjectRef> ref) {
    static Subject of(RelatedAction action) {
      return new Subject(
          action.getClass(),
          switch (action) {
            case RelatedAction.Write write -> Optional.of(write.at());
            case RelatedAction.RecordWrite write -> Optional.of(write.record().copy());
            case RelatedAction.AnnotatePrimary _ -> Optional.empty();
          });
    }
  }

  private record Rewrite(ObjectRef copy, Object content) {}

  RelatedWriter(RelatedExecutor executor, RewriteBackoff<ObjectRef> rewrites) {
    this.executor = executor;
    this.rewrites = rewrites;
  }

  /** The primary is deleted, or nothing of it is due. */
  void forget(ObjectKey primary) {
    refused.remove(primary);
  }

  /** When the action last had no success, greater for a later attempt; 0 if it had. */
  long lastRefusal(ObjectKey primary, RelatedAction action) {
    return refused.getOrDefault(primary, Map.of()).getOrDefault(Subject.of(action), 0L);
  }

  void refused(ObjectKey primary, RelatedAction action) {
    refused
        .computeIfAbsent(primary, _ -> new ConcurrentHashMap<>())
        .put(Subject.of(action), attempts.incrementAndGet());
  }

  /** As {@link RelatedExecutor#precededBy}. */
  Optional<Progress> precededBy(Primary primary, RelatedAction action, KubeClient workspace) {
    return executor.precededBy(action, primary.inKcp(), workspace);
  }

  /** Wrote, or stale. Throws {@link KubeFailure}. */
  Progress tryWrite(Primary primary, RelatedAction action, KubeClient workspace) {
    return switch (executor.executeAction(primary.inKcp(), action, workspace)) {
      case DONE -> {
        refused.computeIfPresent(
            primary.key(),
            (_, subjects) -> {
              subjects.remove(Subject.of(action));
              return subjects.isEmpty() ? null : subjects;
            });
        rewrite(action).ifPresent(done -> rewrites.wrote(done.copy(), done.content()));
        yield new Progress.Wrote();
      }
      case STALE -> {
        refused(primary.key(), action);
        yield new Progress.Stale();
      }
    };
  }

  /** What the action writes to a copy; empty if it writes none. */
  private static Optional<Rewrite> rewrite(RelatedAction action) {
    return switch (action) {
      case RelatedAction.CreateCopy(var at, var desired) ->
          Optional.of(new Rewrite(at, SyncedContent.of(desired)));
      case RelatedAction.PatchCopy(var at, var _, var patch, var recorded) when !patch.isEmpty() ->
          Optional.of(new Rewrite(at, recorded.lastKnown()));
      default -> Optional.empty();
    };
  }

  /** Why the copy must not be written yet: the same write was undone again and again. */
  Optional<Progress> undone(RelatedAction action) {
    return rewrite(action).flatMap(this::undone);
  }

  private Optional<Progress> undone(Rewrite write) {
    Duration delay = rewrites.delay(write.copy(), write.content());
    return delay.isZero()
        ? Optional.empty()
        : Optional.of(
            new Progress.Refused(
                RewriteBackoff.REASON,
                ("%s \"%s\", a copy of a related object, is removed or changed whenever it is"
                        + " written, so that it is written ever more rarely. Find the controller or"
                        + " webhook that does that, or do not relate the object.")
                    .formatted(write.copy().type().qualified(), write.copy().namespacedName()),
                delay));
  }
}
