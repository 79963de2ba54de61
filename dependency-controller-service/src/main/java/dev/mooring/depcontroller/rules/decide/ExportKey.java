package dev.mooring.depcontroller.rules.decide;

import dev.mooring.model.identity.LogicalCluster;
import java.util.Objects;

/** Which APIExport. */
public record ExportKey(LogicalCluster cluster, String name) {
  public ExportKey {
    Objects.requireNonNull(cluster, "cluster");
    Objects.requireNonNull(name, "name");
  }
}
