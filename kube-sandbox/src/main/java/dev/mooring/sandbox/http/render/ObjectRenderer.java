package dev.mooring.sandbox.http.render;

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
import dev.mooring.sandbox.storage.StoredObject;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns objects and lists into the bytes of an answer, in the form the client accepts. */
public record ObjectRenderer(TableRenderer tables) {
  private static final ByteBuffer ITEMS = ascii(",\"items\":[");
  private static final ByteBuffer COMMA = ascii(",");
  private static final ByteBuffer OPEN = ascii("{");
  private static final ByteBuffer END = ascii("]}\n");

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  /** The bytes of any tree in the accepted syntax. */
  public static byte[] bytes(KubeObject object, AcceptHeader.Format format) {
    return bytes(object.tree(), format);
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

  /**
   * In which formats objects of the kind are offered to a client.
   *
   * @param accept what it accepts; only those who name protobuf ever get it
   */
  public static AcceptHeader.Offer offer(ResourceDefinition definition, String accept) {
    return definition.origin() == Origin.BUILT_IN
            && accept.contains(KubeProtobuf.MEDIA_TYPE)
            && KubeProtobuf.knows(definition.type().apiVersion(), definition.kind())
        ? AcceptHeader.Offer.EVERY_FORMAT
        : AcceptHeader.Offer.TEXT_ONLY;
  }

  /** What a client accepts of the resource; throws {@link ApiFailure} 406. */
  public static AcceptHeader accepted(ResourceDefinition definition, String accept) {
    return AcceptHeader.of(accept, offer(definition, accept));
  }

  /** One stored object, from its ready text where nothing has to be changed. */
  public byte[] stored(
      ResourceDefinition definition,
      StoredObject stored,
      AcceptHeader accepted,
      TableRenderer.Included included) {
    return accepted.equals(AcceptHeader.DEFAULT) && definition.converter().servesStored()
        ? stored.json()
        : object(definition, definition.converter().toServed(stored.object()), accepted, included);
  }

  /** As it is served, in JSON: the text that is stored already, where nothing is converted. */
  public static byte[] text(ResourceDefinition definition, StoredObject stored) {
    return converted(definition, stored).map(KubeJson::write).orElseGet(stored::json);
  }

  private static KubeObject served(ResourceDefinition definition, StoredObject stored) {
    return definition.converter().toServedOnce(stored.object());
  }

  /** What is served in place of the stored object; empty if that is served as it is. */
  private static Optional<KubeObject> converted(
      ResourceDefinition definition, StoredObject stored) {
    if (definition.converter().servesStored()) {
      return Optional.empty();
    }
    KubeObject object = stored.object();
    KubeObject served = definition.converter().toServedOnce(object);
    return served == object ? Optional.empty() : Optional.of(served);
  }

  /** Throws {@link ApiFailure} 406 for an object that is asked for as a list. */
  public byte[] object(
      ResourceDefinition definition,
      KubeObject served,
      AcceptHeader accepted,
      TableRenderer.Included included) {
    Map<String, Object> tree =
        switch (accepted.form()) {
          case OBJECT -> served.tree();
          case METADATA -> TableRenderer.metadata(served, accepted.metaApiVersion());
          case METADATA_LIST ->
              throw definition.origin() == Origin.CUSTOM
                  ? ApiFailure.of(500, "", "content is not a list", null)
                  : notAcceptable(
                      "PartialObjectMetadataList",
                      "not a list (" + goType(definition, definition.kind()) + ")");
          case TABLE -> table(definition, served, accepted, included, columns(definition));
        };
    return bytes(tree, accepted.format());
  }

  private static List<Object> columns(ResourceDefinition definition) {
    return TableRenderer.columns(definition);
  }

  private Map<String, Object> table(
      ResourceDefinition definition,
      KubeObject served,
      AcceptHeader accepted,
      TableRenderer.Included included,
      @Nullable List<Object> columns) {
    var metadata = new LinkedHashMap<String, Object>();
    Trees.putUnlessEmpty(metadata, "resourceVersion", served.resourceVersion());
    return TableRenderer.table(
        accepted.metaApiVersion(),
        metadata,
        columns,
        List.of(tables.row(definition, served, included, accepted.metaApiVersion())));
  }

  /**
   * The object of a watch event.
   *
   * @param columns of a Table in the first event; null in those that follow
   */
  public Map<String, Object> event(
      ResourceDefinition definition,
      KubeObject served,
      AcceptHeader accepted,
      TableRenderer.Included included,
      @Nullable List<Object> columns) {
    return switch (accepted.form()) {
      case OBJECT, METADATA_LIST -> served.tree();
      case METADATA -> TableRenderer.metadata(served, accepted.metaApiVersion());
      case TABLE -> table(definition, served, accepted, included, columns);
    };
  }

  /**
   * A list. Throws {@link ApiFailure} 406 if it is asked for as one object.
   *
   * @param metadata of the list
   */
  public Body list(
      ResourceDefinition definition,
      List<StoredObject> items,
      Map<String, Object> metadata,
      AcceptHeader accepted,
      TableRenderer.Included included) {
    if (accepted.equals(AcceptHeader.DEFAULT)) {
      return plainList(definition, items, metadata);
    }
    return Body.of(
        servedList(
            definition,
            items.stream().map(item -> served(definition, item)).toList(),
            metadata,
            accepted,
            included));
  }

  /** As {@link #list}, of objects in the served version. */
  public byte[] servedList(
      ResourceDefinition definition,
      List<KubeObject> served,
      Map<String, Object> metadata,
      AcceptHeader accepted,
      TableRenderer.Included included) {
    return switch (accepted.form()) {
      case OBJECT ->
          list(
              new ListHead(
                  definition.type().apiVersion(),
                  definition.names().listKind(),
                  definition.type().apiVersion(),
                  definition.kind()),
              metadata,
              served.stream().map(item -> listed(definition, item).tree()).toList(),
              accepted.format());
      case METADATA ->
          throw notAcceptable(
              "PartialObjectMetadata",
              "a list (" + goType(definition, definition.names().listKind()) + ")");
      case METADATA_LIST ->
          list(
              new ListHead(
                  accepted.metaApiVersion(),
                  "PartialObjectMetadataList",
                  accepted.metaApiVersion(),
                  "PartialObjectMetadata"),
              metadata,
              served.stream()
                  .map(item -> TableRenderer.metadata(item, accepted.metaApiVersion()))
                  .toList(),
              accepted.format());
      case TABLE ->
          bytes(
              TableRenderer.table(
                  accepted.metaApiVersion(),
                  metadata,
                  columns(definition),
                  served.stream()
                      .<Object>map(
                          item -> tables.row(definition, item, included, accepted.metaApiVersion()))
                      .toList()),
              accepted.format());
    };
  }

  /** What Go calls the internal type of an object or list. */
  private static String goType(ResourceDefinition definition, String kind) {
    String group = definition.type().group();
    return switch (definition.origin()) {
      case CUSTOM ->
          kind.equals(definition.kind())
              ? "*unstructured.Unstructured"
              : "*unstructured.UnstructuredList";
      case BUILT_IN ->
          "*%s.%s"
              .formatted(
                  group.isEmpty() || group.startsWith("events.") ? "core" : group.split("\\.")[0],
                  kind);
    };
  }

  private static ApiFailure notAcceptable(String asked, String found) {
    return ApiFailure.of(
        406,
        "NotAcceptable",
        "you requested " + asked + ", but the requested object is " + found,
        null);
  }

  /** What a list and its items are. */
  private record ListHead(String apiVersion, String kind, String itemApiVersion, String itemKind) {}

  private static byte[] list(
      ListHead head,
      Map<String, Object> metadata,
      List<Map<String, Object>> items,
      AcceptHeader.Format format) {
    if (format == AcceptHeader.Format.PROTOBUF) {
      return KubeProtobuf.writeList(
          head.apiVersion(), head.kind(), metadata, head.itemApiVersion(), head.itemKind(), items);
    }
    var list = new LinkedHashMap<String, Object>();
    list.put("kind", head.kind());
    list.put("apiVersion", head.apiVersion());
    list.put("metadata", metadata);
    // As Go writes a list that was never filled.
    boolean unset = items.isEmpty() && head.kind().startsWith("PartialObjectMetadata");
    list.put("items", unset ? null : items);
    return bytes(list, format);
  }

  private static Body plainList(
      ResourceDefinition definition, List<StoredObject> items, Map<String, Object> metadata) {
    var head = new LinkedHashMap<String, Object>();
    head.put("kind", definition.names().listKind());
    head.put("apiVersion", definition.type().apiVersion());
    head.put("metadata", metadata);
    byte[] start = KubeJson.write(head);
    var parts = new ArrayList<ByteBuffer>(2 * items.size() + 3);
    parts.add(ByteBuffer.wrap(start, 0, start.length - 1));
    parts.add(ITEMS);
    byte[] prefix = prefix(definition);
    for (int i = 0; i < items.size(); i++) {
      StoredObject item = items.get(i);
      if (i > 0) {
        parts.add(COMMA);
      }
      if (converted(definition, item).isPresent() || !addItem(definition, item, prefix, parts)) {
        parts.add(ByteBuffer.wrap(KubeJson.write(listed(definition, served(definition, item)))));
      }
    }
    parts.add(END);
    return new Body(parts);
  }

  /** What the text of every object of the resource begins with. */
  private static byte[] prefix(ResourceDefinition definition) {
    return "{\"kind\":\"%s\",\"apiVersion\":\"%s\","
        .formatted(definition.kind(), definition.type().apiVersion())
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Adds the text of an item, without kind and version for a built-in type. Answers false, and adds
   * nothing, for a text that does not begin with those.
   */
  private static boolean addItem(
      ResourceDefinition definition, StoredObject item, byte[] prefix, List<ByteBuffer> parts) {
    byte[] json = item.json();
    if (definition.origin() == Origin.CUSTOM) {
      parts.add(ByteBuffer.wrap(json));
      return true;
    }
    if (!startsWith(json, prefix)) {
      return false;
    }
    parts.add(OPEN);
    parts.add(ByteBuffer.wrap(json, prefix.length, json.length - prefix.length));
    return true;
  }

  /** As an item of a list: those of built-in types carry no kind and version. */
  public static KubeObject listed(ResourceDefinition definition, KubeObject object) {
    return definition.origin() == Origin.CUSTOM
        ? object
        : object.without("kind").without("apiVersion");
  }

  private static boolean startsWith(byte[] text, byte[] prefix) {
    return text.length > prefix.length
        && java.util.Arrays.equals(text, 0, prefix.length, prefix, 0, prefix.length);
  }
}
