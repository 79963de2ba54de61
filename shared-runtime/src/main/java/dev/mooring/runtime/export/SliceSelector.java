package dev.mooring.runtime.export;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.model.object.KubeObject;
import dev.mooring.model.object.Trees;
import dev.mooring.runtime.watch.InformerSpec;
import java.net.URI;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The APIExportEndpointSlices that an {@link ExportView} follows. */
public sealed interface SliceSelector {
  ResourceType SLICES = new ResourceType("apis.kcp.io", "v1alpha1", "apiexportendpointslices");

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
    InformerSpec all = InformerSpec.of(SLICES);
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
   * The URLs of an export's virtual workspace, one for each shard that has a binding.
   *
   * @return empty if there are no slices; no URLs until a workspace binds the export
   */
  static Optional<SortedSet<URI>> endpoints(Collection<KubeObject> selected) {
    if (selected.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        selected.stream()
            .flatMap(slice -> slice.list("status", "endpoints").stream())
            .map(endpoint -> Trees.text(endpoint, "url"))
            .filter(url -> !url.isEmpty())
            .map(URI::create)
            .collect(Collectors.toCollection(TreeSet::new)));
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
