package dev.mooring.sandbox.http;

import dev.mooring.model.json.KubeJson;
import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.ResourceDefinition;
import dev.mooring.sandbox.api.ResourceDefinition.Origin;
import dev.mooring.sandbox.codec.YamlText;
import dev.mooring.sandbox.storage.StoredObject;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Turns objects and lists into the bytes of an answer, in the form the client accepts. */
final class Rendering {
  private final Tables tables;

  Rendering(Tables tables) {
    this.tables = tables;
  }

  /** The bytes of any tree in the accepted syntax. */
  static byte[] bytes(KubeObject object, Accepted.Format format) {
    return bytes(object.tree(), format);
  }

  static byte[] bytes(Object tree, Accepted.Format format) {
    return switch (format) {
      case JSON -> KubeJson.write(tree);
      case YAML -> YamlText.write(tree).getBytes(StandardCharsets.UTF_8);
    };
  }

  /** One stored object, from its ready text where nothing has to be changed. */
  byte[] stored(
      ResourceDefinition definition,
      StoredObject stored,
      Accepted accepted,
      Tables.Included included) {
    KubeObject served = definition.converter().toServed(stored.object());
    return served == stored.object() && accepted.equals(Accepted.DEFAULT)
        ? stored.json()
        : object(definition, served, accepted, included);
  }

  byte[] object(
      ResourceDefinition definition,
      KubeObject served,
      Accepted accepted,
      Tables.Included included) {
    return bytes(formed(definition, served, accepted.form(), included), accepted.format());
  }

  private Object formed(
      ResourceDefinition definition,
      KubeObject served,
      Accepted.Form form,
      Tables.Included included) {
    return switch (form) {
      case OBJECT -> served.tree();
      case METADATA -> Tables.metadata(served);
      case TABLE ->
          Tables.table(
              Map.of("resourceVersion", served.resourceVersion()),
              Tables.columns(definition),
              List.of(tables.row(definition, served, included)));
    };
  }

  /** The object of a watch event; a Table has its columns in the first event alone. */
  byte[] event(
      ResourceDefinition definition,
      KubeObject served,
      Accepted.Form form,
      Tables.Included included,
      List<Object> columns) {
    return KubeJson.write(
        form == Accepted.Form.TABLE
            ? Tables.table(
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
  byte[] list(
      ResourceDefinition definition,
      List<StoredObject> items,
      Map<String, Object> metadata,
      Accepted accepted,
      Tables.Included included) {
    if (accepted.equals(Accepted.DEFAULT)) {
      return plainList(definition, items, metadata);
    }
    var trees = new ArrayList<>();
    for (StoredObject item : items) {
      KubeObject served = definition.converter().toServed(item.object());
      trees.add(
          switch (accepted.form()) {
            case OBJECT -> listed(definition, served).tree();
            case METADATA -> Map.of("metadata", served.map("metadata"));
            case TABLE -> tables.row(definition, served, included);
          });
    }
    if (accepted.form() == Accepted.Form.TABLE) {
      return bytes(Tables.table(metadata, Tables.columns(definition), trees), accepted.format());
    }
    boolean partial = accepted.form() == Accepted.Form.METADATA;
    var list = new LinkedHashMap<String, Object>();
    list.put("kind", partial ? "PartialObjectMetadataList" : definition.names().listKind());
    list.put("apiVersion", partial ? "meta.k8s.io/v1" : definition.type().apiVersion());
    list.put("metadata", metadata);
    list.put("items", trees);
    return bytes(list, accepted.format());
  }

  private static byte[] plainList(
      ResourceDefinition definition, List<StoredObject> items, Map<String, Object> metadata) {
    var head = new LinkedHashMap<String, Object>();
    head.put("kind", definition.names().listKind());
    head.put("apiVersion", definition.type().apiVersion());
    head.put("metadata", metadata);
    byte[] start = KubeJson.write(head);
    var out = new ByteArrayOutputStream(start.length + 64 + items.size() * 512);
    out.write(start, 0, start.length - 1);
    out.writeBytes(",\"items\":[".getBytes(StandardCharsets.UTF_8));
    boolean first = true;
    for (StoredObject item : items) {
      if (!first) {
        out.write(',');
      }
      first = false;
      KubeObject served = definition.converter().toServed(item.object());
      if (served == item.object()) {
        writeItem(definition, served, item.json(), out);
      } else {
        out.writeBytes(KubeJson.write(listed(definition, served)));
      }
    }
    out.writeBytes("]}\n".getBytes(StandardCharsets.UTF_8));
    return out.toByteArray();
  }

  /** Built-in items carry no kind and version: the text behind those two is copied. */
  private static void writeItem(
      ResourceDefinition definition, KubeObject object, byte[] json, ByteArrayOutputStream out) {
    if (definition.origin() == Origin.CUSTOM) {
      out.writeBytes(json);
      return;
    }
    byte[] prefix =
        ("{\"kind\":\"" + object.kind() + "\",\"apiVersion\":\"" + object.apiVersion() + "\",")
            .getBytes(StandardCharsets.UTF_8);
    if (startsWith(json, prefix)) {
      out.write('{');
      out.write(json, prefix.length, json.length - prefix.length);
    } else {
      out.writeBytes(KubeJson.write(listed(definition, object)));
    }
  }

  private static KubeObject listed(ResourceDefinition definition, KubeObject object) {
    return definition.origin() == Origin.CUSTOM
        ? object
        : object.without("kind").without("apiVersion");
  }

  private static boolean startsWith(byte[] text, byte[] prefix) {
    return text.length > prefix.length
        && java.util.Arrays.equals(text, 0, prefix.length, prefix, 0, prefix.length);
  }
}
