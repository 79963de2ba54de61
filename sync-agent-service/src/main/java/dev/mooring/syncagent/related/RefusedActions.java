package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.syncagent.related.decide.RelatedAction;
import dev.mooring.syncagent.related.decide.RelatedRecord.Spot;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Actions that did not go through lately, by primary: all others have their turn before them.
 * Thread-safe.
 */
final class RefusedActions {
  private final ConcurrentHashMap<ObjectKey, Map<Subject, Long>> refused =
      new ConcurrentHashMap<>();
  private final AtomicLong turns = new AtomicLong();

  /** What was to be done to what. */
  private record Subject(Class<?> action, Spot spot) {
    static Subject of(RelatedAction action) {
      return new Subject(
          action.getClass(),
          switch (action) {
            case RelatedAction.HoldOriginal(var at, var _, var _) -> at;
            case RelatedAction.ReleaseOriginal(var at, var _, var _) -> at;
            case RelatedAction.CreateNamespace(var copy) -> copy;
            case RelatedAction.CreateCopy(var at, var _) -> at;
            case RelatedAction.PatchCopy(var at, var _, var _) -> at;
            case RelatedAction.WriteStatus(var at, var _) -> at;
            case RelatedAction.DeleteCopy(var at, var _, var _) -> at;
            case RelatedAction.StoreRecord(var record) -> record.copy();
            case RelatedAction.LetGo(var record) -> record.copy();
            case RelatedAction.Forget(var record) -> record.copy();
            case RelatedAction.DropRecord(var record, var _) -> record.copy();
            // Of the primary itself, so the only one of its class.
            case RelatedAction.Note _ -> null;
          });
    }
  }

  /** The later it was refused the greater; 0 for what was not. */
  long lastTurn(ObjectKey primary, RelatedAction action) {
    return refused.getOrDefault(primary, Map.of()).getOrDefault(Subject.of(action), 0L);
  }

  void refused(ObjectKey primary, RelatedAction action) {
    refused
        .computeIfAbsent(primary, _ -> new ConcurrentHashMap<>())
        .put(Subject.of(action), turns.incrementAndGet());
  }

  void wentThrough(ObjectKey primary, RelatedAction action) {
    refused.computeIfPresent(
        primary,
        (_, subjects) -> {
          subjects.remove(Subject.of(action));
          return subjects.isEmpty() ? null : subjects;
        });
  }

  void forget(ObjectKey primary) {
    refused.remove(primary);
  }
}
