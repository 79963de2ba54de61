package dev.mooring.cli.live;

import java.net.URI;
import java.util.Optional;
import picocli.CommandLine.Option;

/** The same of all three services. */
public final class AllManagementUrls extends ManagementUrls {
  @Option(
      names = "--controller-url",
      paramLabel = "URL",
      description = "Management of the dependency controller, such as http://localhost:8086.")
  private URI controller;

  @Override
  Optional<URI> url(Service service) {
    return service == Service.controller ? Optional.ofNullable(controller) : super.url(service);
  }
}
