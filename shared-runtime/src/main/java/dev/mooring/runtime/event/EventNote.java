package dev.mooring.runtime.event;

import dev.mooring.model.object.KubeObject;
import java.util.Optional;

/**
 * What {@code kubectl describe} shows of an object. Equal notes about one object become one Event
 * with a count, so messages should not contain what changes every time.
 *
 * @param type {@code Normal} or {@code Warning}
 * @param reason in CamelCase, from a small set
 * @param message for people: what happened, and what to do
 * @param implied an earlier note that this one makes needless, unless it has become an Event
 */
public record EventNote(
    Subject about, String type, String reason, String message, Optional<EventNote> implied) {
  public static final String WARNING = "Warning";

  /** What the API server allows (apimachinery, {@code core/v1} validation). */
  private static final int MESSAGE_MAX = 1_024;

  public EventNote {
    if (reason.isEmpty()) {
      throw new IllegalArgumentException("an event needs a reason");
    }
    if (message.length() > MESSAGE_MAX) {
      message = message.substring(0, MESSAGE_MAX - 1) + "…";
    }
  }

  public static EventNote normal(KubeObject about, String reason, String message) {
    return new EventNote(Subject.of(about), "Normal", reason, message, Optional.empty());
  }

  public static EventNote warning(KubeObject about, String reason, String message) {
    return new EventNote(Subject.of(about), WARNING, reason, message, Optional.empty());
  }

  public EventNote implying(EventNote earlier) {
    return new EventNote(about, type, reason, message, Optional.of(earlier));
  }

  /**
   * The object that an event is about.
   *
   * @param namespace empty for a cluster-scoped object, whose events are in {@code default}
   */
  public record Subject(String apiVersion, String kind, String namespace, String name, String uid) {
    public static Subject of(KubeObject object) {
      return new Subject(
          object.apiVersion(), object.kind(), object.namespace(), object.name(), object.uid());
    }

    String eventNamespace() {
      return namespace.isEmpty() ? "default" : namespace;
    }
  }
}
