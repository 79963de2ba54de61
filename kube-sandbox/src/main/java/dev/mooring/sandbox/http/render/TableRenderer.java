package dev.mooring.sandbox.http.render;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.PrinterColumn;
import dev.mooring.sandbox.api.registry.ResourceDefinition;
import dev.mooring.sandbox.api.registry.ResourceDefinition.Origin;
import dev.mooring.sandbox.api.status.ApiFailure;
import dev.mooring.sandbox.http.exchange.AcceptHeader;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Objects as {@code meta.k8s.io/v1} Tables, for people. */
public record TableRenderer(Clock clock) {
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

  /** What of an object a row carries. */
  public enum Included {
    METADATA,
    OBJECT,
    NONE
  }

  /** Of the query's parameter, which says something of Tables alone; throws {@link ApiFailure}. */
  public static Included included(AcceptHeader accepted, String query) {
    if (accepted.form() != AcceptHeader.Form.TABLE) {
      return Included.METADATA;
    }
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

  public static List<Object> columns(ResourceDefinition definition) {
    var columns = new ArrayList<>();
    for (PrinterColumn column : columnsOf(definition)) {
      var tree = new LinkedHashMap<String, Object>();
      tree.put("name", column.name());
      tree.put("type", column.type());
      tree.put("format", column.format());
      tree.put("description", column.description());
      tree.put("priority", (long) column.priority());
      columns.add(tree);
    }
    return columns;
  }

  private static List<PrinterColumn> columnsOf(ResourceDefinition definition) {
    if (definition.origin() == Origin.BUILT_IN) {
      return definition.columns().isEmpty() ? DEFAULT_COLUMNS : definition.columns();
    }
    var columns = new ArrayList<>(List.of(PrinterColumn.NAME));
    columns.addAll(definition.columns());
    return columns;
  }

  Map<String, Object> row(
      ResourceDefinition definition, KubeObject object, Included included, String metaApiVersion) {
    var cells = new ArrayList<>();
    for (PrinterColumn column : columnsOf(definition)) {
      Object cell = column.cell().apply(object);
      cells.add(
          switch (cell) {
            case Instant then -> age(then);
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

  /**
   * @param columns null in events that follow another one
   */
  static Map<String, Object> table(
      String metaApiVersion,
      Map<String, Object> metadata,
      @Nullable List<Object> columns,
      List<Object> rows) {
    var table = new LinkedHashMap<String, Object>();
    table.put("kind", "Table");
    table.put("apiVersion", metaApiVersion);
    table.put("metadata", metadata);
    table.put("columnDefinitions", columns);
    table.put("rows", rows);
    return table;
  }

  /** The object reduced to its metadata. */
  static Map<String, Object> metadata(KubeObject object, String metaApiVersion) {
    var partial = new LinkedHashMap<String, Object>();
    partial.put("kind", "PartialObjectMetadata");
    partial.put("apiVersion", metaApiVersion);
    partial.put("metadata", object.map("metadata"));
    return partial;
  }

  private String age(Instant then) {
    return HumanDuration.text(Duration.between(then, Instant.now(clock)));
  }
}
