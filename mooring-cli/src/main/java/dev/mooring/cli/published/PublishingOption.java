package dev.mooring.cli.published;

import dev.mooring.syncagent.published.Publishing;
import picocli.CommandLine.Option;

/** Who writes schemas and export where a PublishedResource does not say. */
public final class PublishingOption {
  @Option(
      names = "--publishing",
      paramLabel = "WHO",
      defaultValue = "Managed",
      description =
          "As the agent's property publishing: Managed, External (default: ${DEFAULT-VALUE}).")
  private Publishing publishing;

  public Publishing value() {
    return publishing;
  }
}
