package dev.mooring.runtime.export;

import dev.mooring.model.identity.ResourceType;
import dev.mooring.runtime.watch.Change;

/** Hears what changes in an {@link ExportView}. Called by several threads; must be quick. */
public interface ExportListener {
  /** An object, after the view has changed. */
  void changed(ResourceType type, Change change);

  /** Perhaps the view's {@link ExportView#state}: an endpoint came or went, or was listed. */
  void stateChanged();
}
