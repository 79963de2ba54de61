package dev.mooring.syncagent.related;

import dev.mooring.model.identity.ObjectKey;
import dev.mooring.syncagent.related.decide.ObjectRef;
import dev.mooring.syncagent.related.decide.RelatedAction;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Actions whose last attempt had no success, by primary, in order of the attempts. Thread-safe. */
final class RefusedActions {
  private final ConcurrentHashMap<ObjectKey, Map<Subject, Long>> lastAttempts =
      new ConcurrentHashMap<>();

  private final AtomicLong attempts = new AtomicLong();

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

  /** Greater for a later attempt; 0 if the last one had success. */
  long lastAttempt(ObjectKey primary, RelatedAction action) {
    return lastAttempts.getOrDefault(primary, Map.of()).getOrDefault(Subject.of(action), 0L);
  }

  void add(ObjectKey primary, RelatedAction action) {
    lastAttempts
        .computeIfAbsent(primary, _ -> new ConcurrentHashMap<>())
        .put(Subject.of(action), attempts.incrementAndGet());
  }

  void remove(ObjectKey primary, RelatedAction action) {
    lastAttempts.computeIfPresent(
        primary,
        (_, subjects) -> {
          subjects.remove(Subject.of(action));
          return subjects.isEmpty() ? null : subjects;
        });
  }

  /** The primary is deleted, or nothing of it is due. */
  void forget(ObjectKey primary) {
    lastAttempts.remove(primary);
  }
}
