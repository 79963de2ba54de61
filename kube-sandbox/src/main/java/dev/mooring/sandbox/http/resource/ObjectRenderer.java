package dev.mooring.sandbox.http.resource;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.codec.KubeProtobuf;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.http.exchange.AcceptHeader;
import dev.mooring.sandbox.http.exchange.Body;
import dev.mooring.sandbox.http.resource.TableRenderer.Header;
import dev.mooring.sandbox.http.resource.TableRenderer.Included;
import dev.mooring.sandbox.storage.StoredObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.eclipse.jetty.http.HttpHeader;

/**
 * Turns objects and lists of one resource into the bytes of one answer, in the form that its client
 * accepts.
 *
 * @param definition what the objects are
 * @param call what is answered
 */
public record ObjectRenderer(
    ResourceDefinition definition, AcceptHeader accepted, ResourceEndpoint.Call call, Clock clock) {
  private static final ByteBuffer ITEMS = ascii(",\"items\":[");
  private static final ByteBuffer COMMA = ascii(",");
  private static final ByteBuffer OPEN = ascii("{");
  private static final ByteBuffer END = ascii("]}\n");

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** Throws {@link ApiFailure} 406. */
  static ObjectRenderer of(ResourceEndpoint.Call call, Clock clock) {
    String accept = accept(call);
    var accepted = AcceptHeader.of(accept, offer(call.definition(), accept));
    return new ObjectRenderer(call.definition(), accepted, call, clock);
  }

  /** As {@link #of}, of the events of a watch. */
  static ObjectRenderer ofStream(ResourceEndpoint.Call call, Clock clock) {
    String accept = accept(call);
    var accepted = AcceptHeader.ofStream(accept, offer(call.definition(), accept));
    return new ObjectRenderer(call.definition(), accepted, call, clock);
  }

  private static String accept(ResourceEndpoint.Call call) {
    return call.exchange().header(HttpHeader.ACCEPT);
  }

  /** Only those who name protobuf ever get it. */
  private static AcceptHeader.Offer offer(ResourceDefinition definition, String accept) {
    return definition.origin() == Origin.BUILT_IN
            && accept.contains(KubeProtobuf.MEDIA_TYPE)
            && KubeProtobuf.knows(definition.type().apiVersion(), definition.kind())
        ? AcceptHeader.Offer.EVERY_FORMAT
        : AcceptHeader.Offer.TEXT_ONLY;
  }

  /** The same of another kind of object, in which the call is answered. */
  ObjectRenderer ofKind(ResourceDefinition answered) {
    return new ObjectRenderer(answered, accepted, call, clock);
  }

  AcceptHeader.Format format() {
    return accepted.format();
  }

  /**
   * The bytes of any tree.
   *
   * @param tree with a kind that has a protobuf form if that is the format
   */
  public static byte[] bytes(Map<String, Object> tree, AcceptHeader.Format format) {
    return switch (format) {
      case JSON -> KubeJson.write(tree);
      case YAML -> YamlText.write(tree).getBytes(StandardCharsets.UTF_8);
      case PROTOBUF -> KubeProtobuf.write(tree);
    };
  }

  /** One stored object, from its ready text where nothing has to be changed. */
  byte[] stored(StoredObject stored) {
    return accepted.equals(AcceptHeader.DEFAULT) && definition.converter().servesStored()
        ? stored.json()
        : object(definition.converter().toServed(stored.object()));
  }

  /** As it is served, in JSON: the text that is stored already, where nothing is converted. */
  byte[] text(StoredObject stored) {
    return converted(stored).map(KubeJson::write).orElseGet(stored::json);
  }

  KubeObject served(StoredObject stored) {
    KubeObject served = definition.converter().toServedOnce(stored.object());
    return accepted.form() == AcceptHeader.Form.METADATA ? named(served) : served;
  }

  /** Metadata across clusters says what it is the metadata of. */
  private KubeObject named(KubeObject served) {
    return call.view().cluster().isPresent()
        ? served
        : served.with(
            definition.type().apiVersion(),
            "metadata",
            "annotations",
            "kcp.io/original-api-version");
  }

  /** What is served in place of the stored object; empty if that is served as it is. */
  private Optional<KubeObject> converted(StoredObject stored) {
    if (definition.converter().servesStored()) {
      return Optional.empty();
    }
    KubeObject object = stored.object();
    KubeObject served = definition.converter().toServedOnce(object);
    return served == object ? Optional.empty() : Optional.of(served);
  }

  /** Throws {@link ApiFailure} 406 for an object that is asked for as a list. */
  byte[] object(KubeObject served) {
    if (accepted.form() == AcceptHeader.Form.METADATA_LIST) {
      throw definition.origin() == Origin.CUSTOM
          ? ApiFailure.of(500, "", "content is not a list", null)
          : notAcceptable("PartialObjectMetadataList", "not a list");
    }
    return bytes(event(served, Header.SENT), format());
  }

  /** The object of a watch event. */
  Map<String, Object> event(KubeObject served, Header header) {
    return switch (accepted.form()) {
      case OBJECT, METADATA_LIST -> served.tree();
      case METADATA -> TableRenderer.metadata(served, accepted.metaApiVersion());
      case TABLE -> {
        var metadata = new LinkedHashMap<String, Object>();
        Trees.putUnlessEmpty(metadata, "resourceVersion", served.resourceVersion());
        yield tables().table(metadata, header, List.of(served));
      }
    };
  }

  private TableRenderer tables() {
    return new TableRenderer(definition, accepted.metaApiVersion(), included(), clock);
  }

  private Included included() {
    String query = call.exchange().query("includeObject");
    return switch (query) {
      case "None" -> Included.NONE;
      case "Object" -> Included.OBJECT;
      case "Metadata", "" -> Included.METADATA;
      default ->
          throw ApiFailure.badRequest(
              "Unable to convert to Table as requested: includeObject: Invalid value: \"%s\": must be"
                      .formatted(query)
                  + " 'Metadata', 'Object', 'None', or empty");
    };
  }

  /** Throws {@link ApiFailure} 400 if a Table is asked for with rows that it cannot have. */
  void requireTable() {
    if (accepted.form() == AcceptHeader.Form.TABLE) {
      included();
    }
  }

  /**
   * A list. Throws {@link ApiFailure} 406 if it is asked for as one object.
   *
   * @param metadata of the list
   */
  Body list(List<StoredObject> items, Map<String, Object> metadata) {
    return accepted.equals(AcceptHeader.DEFAULT)
        ? plainList(items, metadata)
        : Body.of(servedList(items.stream().map(this::served).toList(), metadata));
  }

  /** As {@link #list}, of objects in the served version. */
  byte[] servedList(List<KubeObject> served, Map<String, Object> metadata) {
    return switch (accepted.form()) {
      case OBJECT ->
          list(
              definition.type().apiVersion(),
              definition.names().listKind(),
              definition.kind(),
              metadata,
              served.stream().map(item -> listed(item).tree()).toList());
      case METADATA -> throw notAcceptable("PartialObjectMetadata", "a list");
      case METADATA_LIST ->
          list(
              accepted.metaApiVersion(),
              "PartialObjectMetadataList",
              "PartialObjectMetadata",
              metadata,
              served.stream()
                  .map(item -> TableRenderer.metadata(named(item), accepted.metaApiVersion()))
                  .toList());
      case TABLE -> bytes(tables().table(metadata, Header.SENT, served), format());
    };
  }

  private static ApiFailure notAcceptable(String asked, String found) {
    return ApiFailure.of(
        406,
        "NotAcceptable",
        "you requested " + asked + ", but the requested object is " + found,
        null);
  }

  /**
   * @param apiVersion of the list and of its items
   */
  private byte[] list(
      String apiVersion,
      String kind,
      String itemKind,
      Map<String, Object> metadata,
      List<Map<String, Object>> items) {
    if (format() == AcceptHeader.Format.PROTOBUF) {
      return KubeProtobuf.writeList(apiVersion, kind, metadata, apiVersion, itemKind, items);
    }
    var list = head(apiVersion, kind, metadata);
    // As Go writes a list that was never filled.
    boolean unset = items.isEmpty() && kind.startsWith("PartialObjectMetadata");
    list.put("items", unset ? null : items);
    return bytes(list, format());
  }

  /** What every object begins with. */
  static LinkedHashMap<String, Object> head(
      String apiVersion, String kind, Map<String, Object> metadata) {
    return Trees.ordered("kind", kind, "apiVersion", apiVersion, "metadata", metadata);
  }

  private Body plainList(List<StoredObject> items, Map<String, Object> metadata) {
    byte[] start =
        KubeJson.write(
            head(definition.type().apiVersion(), definition.names().listKind(), metadata));
    var parts = new ArrayList<ByteBuffer>(2 * items.size() + 3);
    parts.add(ByteBuffer.wrap(start, 0, start.length - 1));
    parts.add(ITEMS);
    // What the text of every object of the resource begins with.
    byte[] prefix =
        "{\"kind\":\"%s\",\"apiVersion\":\"%s\","
            .formatted(definition.kind(), definition.type().apiVersion())
            .getBytes(StandardCharsets.UTF_8);
    for (int i = 0; i < items.size(); i++) {
      StoredObject item = items.get(i);
      if (i > 0) {
        parts.add(COMMA);
      }
      if (converted(item).isPresent() || !addItem(item, prefix, parts)) {
        parts.add(ByteBuffer.wrap(KubeJson.write(listed(served(item)))));
      }
    }
    parts.add(END);
    return new Body(parts);
  }

  /**
   * Adds the text of an item, without kind and version for a built-in type. Answers false, and adds
   * nothing, for a text that does not begin with those.
   */
  private boolean addItem(StoredObject item, byte[] prefix, List<ByteBuffer> parts) {
    byte[] json = item.json();
    if (definition.origin() == Origin.CUSTOM) {
      parts.add(ByteBuffer.wrap(json));
      return true;
    }
    if (Arrays.mismatch(json, prefix) != prefix.length) {
      return false;
    }
    parts.add(OPEN);
    parts.add(ByteBuffer.wrap(json, prefix.length, json.length - prefix.length));
    return true;
  }

  /** As an item of a list: those of built-in types carry no kind and version. */
  private KubeObject listed(KubeObject object) {
    return definition.origin() == Origin.CUSTOM
        ? object
        : object.without("kind").without("apiVersion");
  }
}
