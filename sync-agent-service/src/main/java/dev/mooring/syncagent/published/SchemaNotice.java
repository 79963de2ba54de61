package dev.mooring.syncagent.published;

import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Something about a type that stops neither its publishing nor its syncing, and is hardly meant:
 * the CRD has what an APIResourceSchema cannot have, or the PublishedResource a path that the
 * schema does not have.
 *
 * @param condition that is False
 * @param reason of the condition
 * @param field of the PublishedResource
 * @param message what is wrong, what follows from that, and what to do
 */
public record SchemaNotice(String condition, String reason, String field, String message) {
  /** The schema has everything that the CRD has. */
  public static final String COMPLETE = "SchemaComplete";

  /** Objects can have every path that the PublishedResource names. */
  public static final String PATHS = "PathsInSchema";

  /** More fields would not fit into the message of a condition. */
  private static final int NAMED_MAX = 10;

  /** Nothing is found at the path, and everything else is synced. */
  static SchemaNotice of(NamedFields.Problem problem) {
    return new SchemaNotice(
        PATHS, "UnknownPath", problem.field(), problem.field() + ": " + problem.message() + ".");
  }

  /**
   * In the order in which a condition reports them.
   *
   * @param versions that are published, as the CRD has them
   * @param storage the one of them that is stored
   */
  static List<SchemaNotice> of(
      KubeObject crd, List<Map<String, Object>> versions, Map<String, Object> storage) {
    return Stream.of(conversion(crd, versions, storage), columns(versions))
        .flatMap(Optional::stream)
        .toList();
  }

  /** The columns of a version without those that repeat a name: kcp keeps a map of them. */
  static List<Object> uniqueColumns(Map<String, Object> version) {
    var columns = new LinkedHashMap<String, Object>();
    Trees.list(version, "additionalPrinterColumns")
        .forEach(column -> columns.putIfAbsent(Trees.text(column, "name"), column));
    return List.copyOf(columns.values());
  }

  /**
   * Conversion by a webhook, if it changes objects: kcp cannot call one behind a service, and one
   * with a URL does not know the group, kind and versions of a projection.
   */
  private static Optional<SchemaNotice> conversion(
      KubeObject crd, List<Map<String, Object>> versions, Map<String, Object> storage) {
    if (!crd.text("spec", "conversion", "strategy").equals("Webhook")) {
      return Optional.empty();
    }
    String stored = Trees.text(storage, "name");
    var differences = new ArrayList<SchemaChange>();
    for (Map<String, Object> version : versions) {
      new SchemaComparison(Trees.text(version, "name"), differences)
          .compare("", schema(version), schema(storage));
      new SchemaComparison(stored, differences).compare("", schema(storage), schema(version));
    }
    return named(differences.stream().map(SchemaChange::where))
        .map(fields ->
            new SchemaNotice(
                COMPLETE,
                "ConversionLeftOut",
                "spec.resource",
                ("kcp does not call the conversion webhook of CRD %s: of an object that is written"
                        + " in another version than %s, fields that %s lacks are not synced."
                        + " Different are %s. Publish one version: spec.resource.versions: [%s].")
                    .formatted(crd.name(), stored, stored, fields, stored)));
  }

  private static Map<String, Object> schema(Map<String, Object> version) {
    return Trees.map(version, "schema", "openAPIV3Schema");
  }

  private static Optional<SchemaNotice> columns(List<Map<String, Object>> versions) {
    return named(versions.stream().flatMap(SchemaNotice::repeatedColumns))
        .map(columns ->
            new SchemaNotice(
                COMPLETE,
                "ColumnsLeftOut",
                "spec.resource",
                "kcp takes one printer column of a name. Left out are %s. Rename them in the CRD."
                    .formatted(columns)));
  }

  private static Stream<String> repeatedColumns(Map<String, Object> version) {
    var repeated = new ArrayList<>(Trees.list(version, "additionalPrinterColumns"));
    uniqueColumns(version).forEach(repeated::remove);
    return repeated.stream()
        .map(column ->
            "%s: %s (%s)"
                .formatted(
                    Trees.text(version, "name"),
                    Trees.text(column, "name"),
                    Trees.text(column, "jsonPath")));
  }

  /** Empty if there are none. */
  private static Optional<String> named(Stream<String> texts) {
    List<String> all = texts.distinct().sorted().toList();
    return all.isEmpty()
        ? Optional.empty()
        : Optional.of(
            all.stream().limit(NAMED_MAX).collect(Collectors.joining(", "))
                + (all.size() > NAMED_MAX ? " and " + (all.size() - NAMED_MAX) + " more" : ""));
  }
}
