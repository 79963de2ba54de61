package dev.mooring.sandbox.api.registry;

import dev.mooring.model.object.KubeObject;
import java.util.function.Function;

/**
 * One column of a Table.
 *
 * @param type such as {@code string}, {@code integer}, {@code date}
 * @param format such as {@code name}; may be empty
 * @param priority 0 is shown always, others only in wide output
 * @param cell from an object's tree to the cell: a string, number, boolean or null
 */
public record PrinterColumn(
    String name,
    String type,
    String format,
    String description,
    int priority,
    Function<KubeObject, Object> cell) {
  /** The first of most types. */
  public static final PrinterColumn NAME =
      new PrinterColumn(
          "Name",
          "string",
          "name",
          "Name must be unique within a namespace. Is required when creating resources, although some"
              + " resources may allow a client to request the generation of an appropriate name"
              + " automatically. Name is primarily intended for creation idempotence and configuration"
              + " definition. Cannot be updated. More info:"
              + " https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names",
          0,
          KubeObject::name);

  /** Of the time at which an object was created. */
  public static final String CREATED =
      """
      CreationTimestamp is a timestamp representing the server time when this object was created. \
      It is not guaranteed to be set in happens-before order across separate operations. Clients \
      may not set this value. It is represented in RFC3339 form and is in UTC.

      Populated by the system. Read-only. Null for lists. More info: \
      https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata\
      """;
}
