package dev.mooring.runtime.export;

import dev.mooring.model.object.KubeObject;
import dev.mooring.runtime.watch.InformerSpec;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The APIExportEndpointSlices that an {@link ExportView} follows. */
public sealed interface SliceSelector {
  /** Every slice of an APIExport of the view's workspace. */
  record OfExport(String export) implements SliceSelector {}

  /**
   * One slice, which may name an APIExport of another workspace, and later another APIExport.
   *
   * @param last the export that the slice named for a view that this one replaces
   */
  record Named(String slice, Optional<ExportRef> last) implements SliceSelector {}

  /** What the slices' informer lists. */
  default InformerSpec spec() {
    InformerSpec all = InformerSpec.of(ExportView.SLICES);
    return switch (this) {
      case OfExport _ -> all;
      case Named(var slice, var _) -> all.withFields("metadata.name=" + slice);
    };
  }

  default List<KubeObject> select(Collection<KubeObject> slices) {
    return slices.stream()
        .filter(slice ->
            switch (this) {
              case OfExport(var export) -> export.equals(slice.text("spec", "export", "name"));
              case Named(var name, var _) -> name.equals(slice.name());
            })
        .toList();
  }

  /**
   * The export of the selected slices; empty while only a slice could name it and there is none.
   */
  default Optional<ExportRef> export(List<KubeObject> selected) {
    return switch (this) {
      case OfExport(var export) -> Optional.of(new ExportRef(export, Optional.empty()));
      case Named(var _, var last) ->
          selected.stream().findFirst().map(ExportRef::of).or(() -> last);
    };
  }
}
