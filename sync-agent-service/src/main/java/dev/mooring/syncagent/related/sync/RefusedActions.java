package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.sync.decide.RelatedAction;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Actions that did not go through lately, by primary: all others have their turn before them.
 * Thread-safe.
 */
public final class RefusedActions {
  private final ConcurrentHashMap<ObjectKey, Map<Subject, Long>> refused =
      new ConcurrentHashMap<>();
  private final AtomicLong turns = new AtomicLong();

  /** What was to be done to what. */
  private record Subject(Class<?> action, ObjectRef ref) {
    static Subject of(RelatedAction action) {
      return new Subject(
          action.getClass(),
          switch (action) {
            case RelatedAction.AddFinalizer(var at, var _, var _) -> at;
            case RelatedAction.RemoveFinalizer(var at, var _, var _) -> at;
            case RelatedAction.CreateNamespace(var copy) -> copy;
            case RelatedAction.CreateCopy(var at, var _) -> at;
            case RelatedAction.PatchCopy(var at, var _, var _) -> at;
            case RelatedAction.WriteStatus(var at, var _) -> at;
            case RelatedAction.DeleteCopy(var at, var _, var _) -> at;
            case RelatedAction.StoreRecord(var record) -> record.copy();
            case RelatedAction.AnnounceHandover(var record) -> record.copy();
            case RelatedAction.Disown(var record) -> record.copy();
            case RelatedAction.DeleteRecord(var record, var _) -> record.copy();
            // Of the primary itself, so the only one of its class.
            case RelatedAction.AnnotatePrimary _ -> null;
          });
    }
  }

  /** The later it was refused the greater; 0 for what was not. */
  public long lastTurn(ObjectKey primary, RelatedAction action) {
    return refused.getOrDefault(primary, Map.of()).getOrDefault(Subject.of(action), 0L);
  }

  public void refused(ObjectKey primary, RelatedAction action) {
    refused
        .computeIfAbsent(primary, _ -> new ConcurrentHashMap<>())
        .put(Subject.of(action), turns.incrementAndGet());
  }

  public void wentThrough(ObjectKey primary, RelatedAction action) {
    refused.computeIfPresent(
        primary,
        (_, subjects) -> {
          subjects.remove(Subject.of(action));
          return subjects.isEmpty() ? null : subjects;
        });
  }

  public void forget(ObjectKey primary) {
    refused.remove(primary);
  }
}
