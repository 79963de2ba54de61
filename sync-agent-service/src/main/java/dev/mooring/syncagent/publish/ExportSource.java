package dev.mooring.syncagent.publish;

import java.util.Optional;

/** Where the APIExport is. Thread-safe. */
public interface ExportSource {
  /** Empty as long as the endpoint slice has not said it. */
  Optional<ExportWorkspace> workspace();

  /**
   * Whether it was asked for, with whatever answer. Before that, that nothing is seen means
   * nothing.
   */
  boolean isKnown();
}
