package dev.mooring.sandbox.http.resource;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.PrinterColumn;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Objects of one resource as Tables, for people.
 *
 * @param metaApiVersion of {@code meta.k8s.io}
 * @param included what of an object its row carries
 */
record TableRenderer(
    ResourceDefinition definition, String metaApiVersion, Included included, Clock clock) {
  private static final List<PrinterColumn> DEFAULT_COLUMNS =
      List.of(
          PrinterColumn.NAME,
          new PrinterColumn(
              "Created At",
              "date",
              "",
              PrinterColumn.CREATED,
              0,
              object -> object.text("metadata", "creationTimestamp")));

  enum Included {
    METADATA,
    OBJECT,
    NONE
  }

  /** Which columns a Table describes: those of a watch are in its first event alone. */
  enum Header {
    SENT,
    NOT_SENT
  }

  Map<String, Object> table(Map<String, Object> metadata, Header header, List<KubeObject> objects) {
    var table = ObjectRenderer.head(metaApiVersion, "Table", metadata);
    table.put("columnDefinitions", header == Header.SENT ? columnDefinitions() : null);
    table.put("rows", objects.stream().map(this::row).toList());
    return table;
  }

  private List<Object> columnDefinitions() {
    var definitions = new ArrayList<>();
    for (PrinterColumn column : columns()) {
      var tree = new LinkedHashMap<String, Object>();
      tree.put("name", column.name());
      tree.put("type", column.type());
      tree.put("format", column.format());
      tree.put("description", column.description());
      tree.put("priority", (long) column.priority());
      definitions.add(tree);
    }
    return definitions;
  }

  private List<PrinterColumn> columns() {
    if (definition.origin() == Origin.BUILT_IN) {
      return definition.columns().isEmpty() ? DEFAULT_COLUMNS : definition.columns();
    }
    var columns = new ArrayList<>(List.of(PrinterColumn.NAME));
    columns.addAll(definition.columns());
    return columns;
  }

  private Map<String, Object> row(KubeObject object) {
    var cells = new ArrayList<>();
    for (PrinterColumn column : columns()) {
      Object cell = column.cell().apply(object);
      cells.add(
          switch (cell) {
            case Instant then -> HumanDuration.text(Duration.between(then, Instant.now(clock)));
            case Duration duration -> HumanDuration.text(duration);
            case null, default -> cell;
          });
    }
    var row = new LinkedHashMap<String, Object>();
    row.put("cells", cells);
    row.put(
        "object",
        switch (included) {
          case METADATA -> metadata(object, metaApiVersion);
          case OBJECT -> object.tree();
          case NONE -> null;
        });
    return row;
  }

  /** The object reduced to its metadata. */
  static Map<String, Object> metadata(KubeObject object, String metaApiVersion) {
    return ObjectRenderer.head(metaApiVersion, "PartialObjectMetadata", object.map("metadata"));
  }
}
