package dev.mooring.benchmarks.common;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/** The options of a benchmark about what becomes of its figures. */
public final class ReportOptions {
  @Option(names = "--json", description = "File for the figures.")
  private Path json;

  @Option(names = "--strict", description = "Fail if a target is missed.")
  private boolean strict;

  /** Prints and writes the figures; returns the exit status. */
  public int finish(Comparison report) {
    report.print();
    if (json != null) {
      report.write(json);
    }
    return strict && report.missed() > 0 ? 1 : 0;
  }
}
