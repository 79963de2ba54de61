package dev.mooring.sandbox.builtin;

import dev.mooring.model.object.KubeObject;
import dev.mooring.sandbox.api.registry.PrinterColumn;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** The columns that kubectl shows for built-in resources ({@code printers/internalversion}). */
final class Columns {
  private Columns() {}

  private static PrinterColumn column(String name, String type, Function<KubeObject, Object> cell) {
    return new PrinterColumn(name, type, name.equals("Name") ? "name" : "", name, 0, cell);
  }

  /** Name, the given columns, age. */
  private static List<PrinterColumn> between(PrinterColumn... columns) {
    var all = new ArrayList<PrinterColumn>();
    all.add(column("Name", "string", KubeObject::name));
    all.addAll(List.of(columns));
    all.add(column("Age", "string", Columns::created));
    return all;
  }

  private static Object created(KubeObject object) {
    try {
      return Instant.parse(object.text("metadata", "creationTimestamp"));
    } catch (DateTimeParseException never) {
      return "<unknown>";
    }
  }

  private static PrinterColumn count(String name, String... path) {
    return column(
        name,
        "string",
        object ->
            (long)
                (object.at(path) instanceof List<?> list ? list.size() : object.map(path).size()));
  }

  private static Long replicas(KubeObject object, String... path) {
    return object.at(path) instanceof Long number ? number : 0L;
  }

  private static PrinterColumn text(String name, String... path) {
    return column(name, "string", object -> object.text(path));
  }

  private static PrinterColumn number(String name, String... path) {
    return column(name, "integer", count(name, path).cell());
  }

  static List<PrinterColumn> of(String resource) {
    return switch (resource) {
      case "deployments" ->
          between(
              column(
                  "Ready",
                  "string",
                  object ->
                      replicas(object, "status", "readyReplicas")
                          + "/"
                          + replicas(object, "spec", "replicas")),
              column("Up-to-date", "integer", o -> replicas(o, "status", "updatedReplicas")),
              column("Available", "integer", o -> replicas(o, "status", "availableReplicas")));
      case "pods" -> between(text("Status", "status", "phase"));
      case "services" ->
          between(text("Type", "spec", "type"), text("Cluster-IP", "spec", "clusterIP"));
      case "horizontalpodautoscalers" ->
          between(
              column("MinPods", "string", o -> replicas(o, "spec", "minReplicas").toString()),
              column("MaxPods", "integer", o -> replicas(o, "spec", "maxReplicas")),
              column("Replicas", "integer", o -> replicas(o, "status", "currentReplicas")));
      case "namespaces" -> between(text("Status", "status", "phase"));
      case "configmaps" ->
          between(
              column(
                  "Data",
                  "string",
                  object -> (long) object.map("data").size() + object.map("binaryData").size()));
      case "secrets" -> between(text("Type", "type"), count("Data", "data"));
      case "leases" -> between(text("Holder", "spec", "holderIdentity"));
      case "rolebindings", "clusterrolebindings" ->
          between(
              column(
                  "Role",
                  "string",
                  object -> object.text("roleRef", "kind") + "/" + object.text("roleRef", "name")));
      case "validatingwebhookconfigurations", "mutatingwebhookconfigurations" ->
          between(number("Webhooks", "webhooks"));
      case "clusterroles", "roles" ->
          List.of(
              column("Name", "string", KubeObject::name),
              column("Created At", "date", object -> object.text("metadata", "creationTimestamp")));
      case "events" ->
          List.of(
              column("Last Seen", "string", Columns::lastSeen),
              text("Type", "type"),
              text("Reason", "reason"),
              column("Object", "string", Columns::subject),
              column("Message", "string", object -> object.text("message").strip()));
      case "serviceaccounts", "resourcequotas", "limitranges" -> between();
      default -> List.of();
    };
  }

  private static Object lastSeen(KubeObject event) {
    for (String field : List.of("lastTimestamp", "eventTime", "firstTimestamp")) {
      if (!event.text(field).isEmpty()) {
        try {
          return Instant.parse(event.text(field));
        } catch (DateTimeParseException e) {
          return "<invalid>";
        }
      }
    }
    return created(event);
  }

  private static Object subject(KubeObject event) {
    String name = event.text("involvedObject", "name");
    String kind = event.text("involvedObject", "kind").toLowerCase(java.util.Locale.ROOT);
    return name.isEmpty() ? kind : kind + "/" + name;
  }
}
