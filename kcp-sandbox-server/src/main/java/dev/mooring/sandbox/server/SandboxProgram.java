package dev.mooring.sandbox.server;

import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The sandbox as a program, with the options of kcp that make sense here. */
@Command(
    name = "kcp-sandbox",
    mixinStandardHelpOptions = true,
    description = "A kcp-compatible API server in one process.")
public final class SandboxProgram {
  private SandboxProgram() {}

  public static void main(String[] arguments) {
    System.exit(
        new CommandLine(new SandboxProgram())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .execute(arguments));
  }

  @Command(name = "start", description = "Serve until the process ends.")
  int start(
      @Option(
              names = "--root-directory",
              defaultValue = ".kcp",
              description = "for certificates and admin.kubeconfig (default: ${DEFAULT-VALUE})")
          Path root,
      @Option(
              names = "--bind-address",
              defaultValue = "127.0.0.1",
              description = "address to listen on (default: ${DEFAULT-VALUE})")
          String address,
      @Option(
              names = "--secure-port",
              defaultValue = "6443",
              description = "port to listen on, 0 for any free one (default: ${DEFAULT-VALUE})")
          int port,
      @Option(
              names = "--token-auth-file",
              description = "more users: lines of token,user,uid,\"group1,group2\"")
          Path tokenFile,
      @Option(
              names = "--client-ca-file",
              description =
                  "PEM certificates of the authorities whose client certificates log in: CN is the"
                      + " user's name, each O a group")
          Path clientCaFile,
      @Option(
              names = "--mode",
              defaultValue = "kcp",
              description = "kcp, or kubernetes for a server without workspaces")
          ServerOptions.Mode mode,
      @Option(
              names = "--shards",
              defaultValue = "1",
              description =
                  "of kcp; several get the ports after --secure-port, which is then the"
                      + " front proxy's (default: ${DEFAULT-VALUE})")
          int shards)
      throws InterruptedException {
    try {
      KcpSandbox sandbox =
          KcpSandbox.start(
              new ServerOptions(
                  root.toAbsolutePath(),
                  address,
                  port,
                  Optional.ofNullable(tokenFile),
                  Optional.ofNullable(clientCaFile),
                  mode,
                  shards));
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(sandbox), "stop"));
      System.out.println(
          "kcp-sandbox is ready at " + sandbox.url() + ", kubeconfig " + sandbox.kubeconfigFile());
      new CountDownLatch(1).await();
      return CommandLine.ExitCode.OK;
    } catch (UncheckedIOException | IllegalArgumentException | IllegalStateException e) {
      System.err.println("kcp-sandbox: " + e.getMessage());
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  /** At SIGTERM and SIGINT: clients see their watches end instead of a connection that breaks. */
  private static void stop(KcpSandbox sandbox) {
    sandbox.close();
    System.out.println("kcp-sandbox has stopped");
  }
}
