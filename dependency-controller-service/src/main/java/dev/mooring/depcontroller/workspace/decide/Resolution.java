package dev.mooring.depcontroller.workspace.decide;

import dev.mooring.model.identity.LogicalCluster;
import java.util.Objects;

/** What a workspace path leads to, as far as it is known. */
public sealed interface Resolution {
  /** To this logical cluster, now. */
  record Known(LogicalCluster cluster) implements Resolution {
    public Known {
      Objects.requireNonNull(cluster, "cluster");
    }
  }

  /**
   * To nothing: the parent was read, and has no such workspace, or has not given it a cluster yet.
   *
   * @param message what is missing, and where
   */
  record Absent(String message) implements Resolution {
    public Absent {
      Objects.requireNonNull(message, "message");
    }
  }

  /**
   * Nobody could tell.
   *
   * @param message what could not be read, and what to do
   */
  record Unknown(String message) implements Resolution {
    public Unknown {
      Objects.requireNonNull(message, "message");
    }
  }

  /** Nobody has looked yet; it does not take long. */
  record Pending() implements Resolution {}
}
