package dev.mooring.syncagent.agent;

import dev.mooring.runtime.export.EndpointOverrides;
import dev.mooring.runtime.export.ExportRef;
import dev.mooring.runtime.export.ExportWatchOptions;
import dev.mooring.runtime.export.SliceSelector;
import dev.mooring.runtime.watch.InformerSpec.AfterWatch;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Endpoints that an agent followed until now.
 *
 * @param export that they serve; empty if no slice has named one yet
 */
record KnownEndpoints(Optional<ExportRef> export, Set<URI> urls) {
  static final KnownEndpoints NONE = new KnownEndpoints(Optional.empty(), Set.of());

  KnownEndpoints {
    urls = Set.copyOf(urls);
  }

  /** Follow these from the start, and those that the slice lists. */
  ExportWatchOptions terms(String slice, EndpointOverrides overrides) {
    return new ExportWatchOptions(
        new SliceSelector.Named(slice, export),
        List.of(),
        urls,
        Duration.ZERO,
        overrides,
        AfterWatch.LIST_AGAIN);
  }
}
