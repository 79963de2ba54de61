package dev.mooring.sandbox.kcp.export;

import dev.mooring.model.identity.LogicalCluster;
import java.util.Set;

/** Which logical clusters have bound an export. Thread-safe. */
@FunctionalInterface
public interface ExportConsumers {
  /** The clusters with an APIBinding to the export that has got as far as Binding. */
  Set<LogicalCluster> boundIn(LogicalCluster provider, String export);
}
