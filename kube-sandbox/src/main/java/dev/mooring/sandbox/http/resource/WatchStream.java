package dev.mooring.sandbox.http.resource;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.KubeProtobuf;
import dev.mooring.sandbox.http.exchange.AcceptHeader;
import dev.mooring.sandbox.http.exchange.EventSink;
import dev.mooring.sandbox.http.resource.TableRenderer.Header;
import dev.mooring.sandbox.storage.StoreEvent;
import dev.mooring.sandbox.storage.StoreWatch;
import dev.mooring.sandbox.storage.StoredObject;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Writes watch events to one client: what its selector picks, an ADDED for what comes into the
 * selection and a DELETED for what leaves it. An object's text is the stored one where nothing has
 * to be changed, so it is made once for all watches.
 */
final class WatchStream {
  private static final byte[] END = "}\n".getBytes(StandardCharsets.UTF_8);

  private final EventSink events;
  private final ListQuery query;
  private final ObjectRenderer rendering;
  private Header header = Header.SENT;

  WatchStream(EventSink events, ListQuery query, ObjectRenderer rendering) {
    this.events = events;
    this.query = query;
    this.rendering = rendering;
  }

  /** Writes an object that was there before the watch. */
  void initial(StoredObject object) throws IOException {
    write("ADDED", object);
  }

  private void event(StoreEvent event) throws IOException {
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
    return ListEndpoint.isVisible(rendering.call(), object, query);
  }

  private void write(String type, StoredObject object) throws IOException {
    if (rendering.accepted().equals(AcceptHeader.DEFAULT)) {
      write(type, rendering.text(object));
    } else {
      writeServed(type, rendering.served(object));
    }
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
    ResourceDefinition definition = rendering.definition();
    var object = ObjectRenderer.head(definition.type().apiVersion(), definition.kind(), metadata);
    writeServed("BOOKMARK", KubeObject.of(object));
    events.flush();
  }

  private void writeServed(String type, KubeObject served) throws IOException {
    write(type, rendering.event(served, header));
    header = Header.NOT_SENT;
  }

  void error(ApiFailure failure) throws IOException {
    write("ERROR", failure.status().tree());
    events.flush();
  }

  /** Takes events without waiting while there are any, so that a burst is flushed once. */
  void drain(StoreWatch watch, StoreEvent first) throws IOException, InterruptedException {
    Optional<StoreEvent> next = Optional.of(first);
    while (next.isPresent()) {
      event(next.get());
      next = watch.next(Duration.ZERO);
    }
    events.flush();
  }

  private void write(String type, Map<String, Object> object) throws IOException {
    switch (rendering.format()) {
      case JSON, YAML -> write(type, KubeJson.write(object));
      case PROTOBUF -> events.send(KubeProtobuf.watchEvent(type, object));
    }
  }

  private void write(String type, byte[] object) throws IOException {
    events.send(
        ("{\"type\":\"" + type + "\",\"object\":").getBytes(StandardCharsets.UTF_8), object, END);
  }
}
