package dev.mooring.runtime.export;

import dev.mooring.model.object.KubeObject;
import java.util.Optional;

/**
 * An APIExport as an APIExportEndpointSlice names it.
 *
 * @param path workspace of the export; empty if it is the slice's own
 */
public record ExportRef(String name, Optional<String> path) {

  static ExportRef of(KubeObject slice) {
    return new ExportRef(
        slice.text("spec", "export", "name"),
        Optional.of(slice.text("spec", "export", "path")).filter(path -> !path.isEmpty()));
  }
}
