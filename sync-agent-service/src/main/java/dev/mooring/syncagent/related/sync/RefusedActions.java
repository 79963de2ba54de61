package dev.mooring.syncagent.related.sync;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.syncagent.related.record.decide.ObjectRef;
import dev.mooring.syncagent.related.sync.decide.RelatedAction;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Actions whose last attempt failed, by primary: all others are attempted before them. Thread-safe.
 */
final class RefusedActions {
  private final ConcurrentHashMap<ObjectKey, Map<Subject, Long>> refused =
      new ConcurrentHashMap<>();
  private final AtomicLong turns = new AtomicLong();

  /** The kind of action, and its object. */
  private record Subject(Class<?> action, @Nullable ObjectRef ref) {
    static Subject of(RelatedAction action) {
      return new Subject(
          action.getClass(),
          switch (action) {
            case RelatedAction.AddFinalizer(var at, var _, var _) -> at;
            case RelatedAction.RemoveFinalizer(var at, var _, var _) -> at;
            case RelatedAction.CreateNamespace(var copy) -> copy;
            case RelatedAction.CreateCopy(var at, var _) -> at;
            case RelatedAction.PatchCopy(var at, var _, var _, var _) -> at;
            case RelatedAction.WriteStatus(var at, var _) -> at;
            case RelatedAction.DeleteCopy(var at, var _, var _, var _) -> at;
            case RelatedAction.StoreRecord(var record) -> record.copy();
            case RelatedAction.AnnounceHandover(var record) -> record.copy();
            case RelatedAction.Disown(var record) -> record.copy();
            case RelatedAction.DeleteRecord(var record, var _) -> record.copy();
            // Of the primary itself: there is one.
            case RelatedAction.AnnotatePrimary _ -> null;
          });
    }
  }

  /** Greater for a later attempt; 0 if the last one did not fail. */
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
