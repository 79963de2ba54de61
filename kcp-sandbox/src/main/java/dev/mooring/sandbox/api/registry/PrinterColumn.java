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
    Function<KubeObject, Object> cell) {}
