package dev.mooring.syncagent.publish;

import java.util.Optional;

/** Where the APIExport is. Thread-safe. */
public interface ExportSource {
  /** Empty until the endpoint slice names the export. */
  Optional<ExportWorkspace> workspace();

  /**
   * Whether the slice and the export were read, or a read failed: before, absence means nothing.
   */
  boolean isKnown();
}
