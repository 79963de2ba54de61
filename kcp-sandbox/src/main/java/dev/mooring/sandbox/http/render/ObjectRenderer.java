package dev.mooring.sandbox.http.render;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.http.exchange.AcceptHeader;
import dev.mooring.sandbox.storage.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Turns objects and lists into the bytes of an answer, in the form the client accepts. */
public record ObjectRenderer(TableRenderer tables) {
  /** The bytes of any tree in the accepted syntax. */
  public static byte[] bytes(KubeObject object, AcceptHeader.Format format) {
    return bytes(object.tree(), format);
  }

  public static byte[] bytes(Object tree, AcceptHeader.Format format) {
    return switch (format) {
      case JSON -> KubeJson.write(tree);
      case YAML -> YamlText.write(tree).getBytes(StandardCharsets.UTF_8);
    };
  }

  /** One stored object, from its ready text where nothing has to be changed. */
  public byte[] stored(
      ResourceDefinition definition,
      StoredObject stored,
      AcceptHeader accepted,
      TableRenderer.Included included) {
    return accepted.equals(AcceptHeader.DEFAULT)
        ? text(definition, stored)
        : object(definition, served(definition, stored), accepted, included);
  }

  /** As it is served, in JSON: the text that is stored already, where nothing is converted. */
  public static byte[] text(ResourceDefinition definition, StoredObject stored) {
    return converted(definition, stored).map(KubeJson::write).orElseGet(stored::json);
  }

  private static KubeObject served(ResourceDefinition definition, StoredObject stored) {
    return definition.converter().toServed(stored.object());
  }

  /** What is served in place of the stored object; empty if that is served as it is. */
  private static Optional<KubeObject> converted(
      ResourceDefinition definition, StoredObject stored) {
    if (definition.converter().servesStored()) {
      return Optional.empty();
    }
    KubeObject object = stored.object();
    KubeObject served = definition.converter().toServed(object);
    return served == object ? Optional.empty() : Optional.of(served);
  }

  public byte[] object(
      ResourceDefinition definition,
      KubeObject served,
      AcceptHeader accepted,
      TableRenderer.Included included) {
    return bytes(formed(definition, served, accepted.form(), included), accepted.format());
  }

  private Object formed(
      ResourceDefinition definition,
      KubeObject served,
      AcceptHeader.Form form,
      TableRenderer.Included included) {
    return switch (form) {
      case OBJECT -> served.tree();
      case METADATA -> TableRenderer.metadata(served);
      case TABLE ->
          TableRenderer.table(
              Map.of("resourceVersion", served.resourceVersion()),
              TableRenderer.columns(definition),
              List.of(tables.row(definition, served, included)));
    };
  }

  /** The object of a watch event; a Table has its columns in the first event alone. */
  public byte[] event(
      ResourceDefinition definition,
      KubeObject served,
      AcceptHeader.Form form,
      TableRenderer.Included included,
      List<Object> columns) {
    return KubeJson.write(
        form == AcceptHeader.Form.TABLE
            ? TableRenderer.table(
                Map.of("resourceVersion", served.resourceVersion()),
                columns,
                List.of(tables.row(definition, served, included)))
            : formed(definition, served, form, included));
  }

  /**
   * A list.
   *
   * @param metadata of the list
   */
  public byte[] list(
      ResourceDefinition definition,
      List<StoredObject> items,
      Map<String, Object> metadata,
      AcceptHeader accepted,
      TableRenderer.Included included) {
    if (accepted.equals(AcceptHeader.DEFAULT)) {
      return plainList(definition, items, metadata);
    }
    var trees = new ArrayList<>();
    for (StoredObject item : items) {
      KubeObject served = served(definition, item);
      trees.add(
          switch (accepted.form()) {
            case OBJECT -> listed(definition, served).tree();
            case METADATA -> Map.of("metadata", served.map("metadata"));
            case TABLE -> tables.row(definition, served, included);
          });
    }
    if (accepted.form() == AcceptHeader.Form.TABLE) {
      return bytes(
          TableRenderer.table(metadata, TableRenderer.columns(definition), trees),
          accepted.format());
    }
    boolean partial = accepted.form() == AcceptHeader.Form.METADATA;
    var list = new LinkedHashMap<String, Object>();
    list.put("kind", partial ? "PartialObjectMetadataList" : definition.names().listKind());
    list.put("apiVersion", partial ? "meta.k8s.io/v1" : definition.type().apiVersion());
    list.put("metadata", metadata);
    list.put("items", trees);
    return bytes(list, accepted.format());
  }

  /** Enough for all, so that nothing is copied on the way. */
  private static int room(byte[] start, List<StoredObject> items) {
    long room = start.length + 64L;
    for (StoredObject item : items) {
      room += item.json().length + 1;
    }
    return (int) Math.min(Integer.MAX_VALUE - 8, room);
  }

  private static byte[] plainList(
      ResourceDefinition definition, List<StoredObject> items, Map<String, Object> metadata) {
    var head = new LinkedHashMap<String, Object>();
    head.put("kind", definition.names().listKind());
    head.put("apiVersion", definition.type().apiVersion());
    head.put("metadata", metadata);
    byte[] start = KubeJson.write(head);
    var out = new ByteArrayOutputStream(room(start, items));
    out.write(start, 0, start.length - 1);
    out.writeBytes(",\"items\":[".getBytes(StandardCharsets.UTF_8));
    boolean first = true;
    byte[] prefix = prefix(definition);
    for (StoredObject item : items) {
      if (!first) {
        out.write(',');
      }
      first = false;
      if (converted(definition, item).isPresent() || !writeItem(definition, item, prefix, out)) {
        out.writeBytes(KubeJson.write(listed(definition, served(definition, item))));
      }
    }
    out.writeBytes("]}\n".getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  /** What the text of every object of the resource begins with. */
  private static byte[] prefix(ResourceDefinition definition) {
    return "{\"kind\":\"%s\",\"apiVersion\":\"%s\","
        .formatted(definition.kind(), definition.type().apiVersion())
        .getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Copies the text of an item, without kind and version for a built-in type. Answers false, and
   * writes nothing, for a text that does not begin with those.
   */
  private static boolean writeItem(
      ResourceDefinition definition, StoredObject item, byte[] prefix, ByteArrayOutputStream out) {
    byte[] json = item.json();
    if (definition.origin() == Origin.CUSTOM) {
      out.writeBytes(json);
      return true;
    }
    if (!startsWith(json, prefix)) {
      return false;
    }
    out.write('{');
    out.write(json, prefix.length, json.length - prefix.length);
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
