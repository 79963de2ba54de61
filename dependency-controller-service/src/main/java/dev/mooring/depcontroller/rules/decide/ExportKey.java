package dev.mooring.depcontroller.rules.decide;

import dev.mooring.model.identity.LogicalCluster;

/** Which APIExport. */
public record ExportKey(LogicalCluster cluster, String name) {}
