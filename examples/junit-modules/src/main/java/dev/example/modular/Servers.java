package dev.example.modular;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.nio.file.Path;

/** Uses the library itself. */
public final class Servers {
  private Servers() {}

  public static KcpSandbox start(Path directory) {
    return KcpSandbox.start(ServerOptions.in(directory));
  }
}
