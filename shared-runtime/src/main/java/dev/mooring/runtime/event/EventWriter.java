package dev.mooring.runtime.event;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.client.KubeFailure;
import dev.mooring.runtime.time.Ids;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/** Puts notes into Events of the core API, which {@code kubectl describe} shows. */
final class EventWriter {
  static final ResourceType EVENTS = ResourceType.core("events");

  /** What a name's 253 characters leave for the object's name after a dot and an id. */
  private static final int NAME_MAX = 253 - 1 - 36;

  private final String component;
  private final String instance;
  private final Ids ids;

  EventWriter(String component, String instance, Ids ids) {
    this.component = component;
    this.instance = instance;
    this.ids = ids;
  }

  /** The name of the Event that now says what the count says. */
  String write(EventNote note, EventCounts.Count count) {
    if (!count.eventName().isEmpty()) {
      try {
        return counted(note, count);
      } catch (KubeFailure e) {
        if (e.kind() != KubeFailure.Kind.NOT_FOUND) {
          throw e;
        }
        // Servers delete Events after an hour: the count starts again.
      }
    }
    return count.where().create(EVENTS, event(note, count)).name();
  }

  private static String counted(EventNote note, EventCounts.Count count) {
    String namespace = note.about().eventNamespace();
    Map<String, Object> patch =
        Map.of("count", (long) count.count(), "lastTimestamp", seconds(count.last()));
    return count.where().patch(EVENTS, namespace, count.eventName(), patch).name();
  }

  private KubeObject event(EventNote note, EventCounts.Count count) {
    EventNote.Subject about = note.about();
    var involved = Trees.ordered("apiVersion", about.apiVersion(), "kind", about.kind());
    Trees.putUnlessEmpty(involved, "namespace", about.namespace());
    involved.put("name", about.name());
    involved.put("uid", about.uid());
    return KubeObject.of(
        Trees.ordered(
            "apiVersion", "v1",
            "kind", "Event",
            "metadata", Map.of("name", name(about), "namespace", about.eventNamespace()),
            "involvedObject", involved,
            "type", note.type(),
            "reason", note.reason(),
            "message", note.message(),
            "count", (long) count.count(),
            "firstTimestamp", seconds(count.first()),
            "lastTimestamp", seconds(count.last()),
            "source", Map.of("component", component),
            "reportingComponent", component,
            "reportingInstance", instance));
  }

  private String name(EventNote.Subject about) {
    String start = about.name().replace(':', '-');
    return start.substring(0, Math.min(start.length(), NAME_MAX)) + "." + ids.next();
  }

  private static String seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
