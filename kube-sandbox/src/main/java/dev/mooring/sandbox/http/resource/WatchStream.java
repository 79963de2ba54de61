package dev.mooring.sandbox.http.resource;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.request.ApiView;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.KubeProtobuf;
import dev.mooring.sandbox.http.exchange.AcceptHeader;
import dev.mooring.sandbox.http.exchange.EventSink;
import dev.mooring.sandbox.http.render.ObjectRenderer;
import dev.mooring.sandbox.http.render.TableRenderer;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoreWatch;
import dev.mooring.sandbox.storage.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Writes watch events to one client: what its selector picks, an ADDED for what comes into the
 * selection and a DELETED for what leaves it. An object's text is the stored one where nothing has
 * to be changed, so it is made once for all watches.
 */
final class WatchStream {
  private static final byte[] END = "}\n".getBytes(StandardCharsets.UTF_8);

  private final EventSink events;
  private final ApiView view;
  private final ResourceDefinition definition;
  private final ListQuery query;
  private final AcceptHeader accepted;
  private final TableRenderer.Included included;
  private final ObjectRenderer rendering;
  private @Nullable List<Object> columns;

  WatchStream(
      EventSink events,
      ApiView view,
      ResourceDefinition definition,
      ListQuery query,
      AcceptHeader accepted,
      TableRenderer.Included included,
      ObjectRenderer rendering) {
    this.events = events;
    this.view = view;
    this.definition = definition;
    this.query = query;
    this.accepted = accepted;
    this.included = included;
    this.rendering = rendering;
    this.columns = TableRenderer.columns(definition);
  }

  /** Writes an object that was there before the watch. */
  void initial(StoredObject object) throws IOException {
    write("ADDED", object);
  }

  void event(StoreEvent event) throws IOException {
    switch (event) {
      case StoreEvent.Added(StoredObject object) -> {
        if (isVisible(object)) {
          write("ADDED", object);
        }
      }
      case StoreEvent.Modified(StoredObject object, StoredObject previous) -> {
        boolean now = isVisible(object);
        boolean before = isVisible(previous);
        if (now) {
          write(before ? "MODIFIED" : "ADDED", object);
        } else if (before) {
          write("DELETED", left(previous, object));
        }
      }
      case StoreEvent.Deleted(StoredObject object, StoredObject previous) -> {
        if (isVisible(previous)) {
          write("DELETED", object);
        }
      }
    }
  }

  /** The object as it was when it was selected, under the version in which it is not any more. */
  private static StoredObject left(StoredObject previous, StoredObject now) {
    return new StoredObject(
        now.key(),
        now.version(),
        previous.object().with(Long.toString(now.version()), "metadata", "resourceVersion"));
  }

  private boolean isVisible(StoredObject object) {
    return ListEndpoint.isVisible(view, definition, object, query);
  }

  private void write(String type, StoredObject object) throws IOException {
    if (accepted.equals(AcceptHeader.DEFAULT)) {
      write(type, ObjectRenderer.text(definition, object));
      return;
    }
    KubeObject served = definition.converter().toServedOnce(object.object());
    if (accepted.form() == AcceptHeader.Form.METADATA && view.cluster().isEmpty()) {
      served = ListEndpoint.named(definition, served);
    }
    write(type, rendered(served));
  }

  /**
   * Tells how far the watch has come.
   *
   * @param annotation a mark to set, such as for the end of the initial events
   */
  void bookmark(long version, Optional<String> annotation) throws IOException {
    var metadata = new LinkedHashMap<String, Object>();
    metadata.put("resourceVersion", Long.toString(version));
    annotation.ifPresent(mark -> metadata.put("annotations", Map.of(mark, "true")));
    var object = new LinkedHashMap<String, Object>();
    object.put("kind", definition.kind());
    object.put("apiVersion", definition.type().apiVersion());
    object.put("metadata", metadata);
    write("BOOKMARK", rendered(KubeObject.of(object)));
    flush();
  }

  private Map<String, Object> rendered(KubeObject served) {
    Map<String, Object> event = rendering.event(definition, served, accepted, included, columns);
    columns = null;
    return event;
  }

  void error(ApiFailure failure) throws IOException {
    write("ERROR", failure.status().tree());
    flush();
  }

  void flush() throws IOException {
    events.flush();
  }

  /** Takes events without waiting while there are any, so that a burst is flushed once. */
  void drain(StoreWatch watch, StoreEvent first) throws IOException, InterruptedException {
    Optional<StoreEvent> next = Optional.of(first);
    while (next.isPresent()) {
      event(next.get());
      next = watch.next(java.time.Duration.ZERO);
    }
    flush();
  }

  private void write(String type, Map<String, Object> object) throws IOException {
    switch (accepted.format()) {
      case JSON, YAML -> write(type, KubeJson.write(object));
      case PROTOBUF -> events.send(KubeProtobuf.watchEvent(type, object));
    }
  }

  private void write(String type, byte[] object) throws IOException {
    events.send(
        ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8), object, END);
  }
}
