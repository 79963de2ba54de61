package dev.mooring.sandbox.server;

import ch.qos.logback.classic.LoggerContext;
import dev.mooring.sandbox.KcpSandbox;
import dev.mooring.sandbox.ServerOptions;
import dev.mooring.sandbox.kube.KubeOptions;
import dev.mooring.sandbox.kube.KubeSandbox;
import dev.mooring.sandbox.kube.Sandbox;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code kcp-sandbox start}, and {@code mooring sandbox}. */
@Command(name = "start", sortOptions = false, description = "Serve until the process ends.")
public final class StartCommand implements Callable<Integer> {
  /** For what the log and standard output still hold when the server has stopped. */
  private static final Duration OUTPUT_MAX = Duration.ofSeconds(2);

  /** What the server pretends to be. */
  private enum Mode {
    KCP,
    KUBERNETES
  }

  @Spec private CommandSpec spec;

  @Option(
      names = "--root-directory",
      defaultValue = ".kcp",
      description = "for certificates and admin.kubeconfig (default: ${DEFAULT-VALUE})")
  private Path root;

  @Option(
      names = "--data-dir",
      description =
          "keeps all objects beyond the end of the process; without it they are in memory")
  private Path data;

  @Option(
      names = "--bind-address",
      defaultValue = "127.0.0.1",
      description = "address to listen on (default: ${DEFAULT-VALUE})")
  private String address;

  @Option(
      names = "--external-hostname",
      description =
          "name or address in the server's URLs and certificate, such as 127.0.0.1 for a container"
              + " that listens on 0.0.0.0 (default: --bind-address)")
  private String hostname;

  @Option(
      names = "--secure-port",
      defaultValue = "6443",
      description = "port to listen on, 0 for any free one (default: ${DEFAULT-VALUE})")
  private int port;

  @Option(
      names = "--token-auth-file",
      description = "more users: lines of token,user,uid,\"group1,group2\"")
  private Path tokenFile;

  @Option(
      names = "--client-ca-file",
      description =
          "PEM certificates of the authorities whose client certificates log in: CN is the user's"
              + " name, each O a group")
  private Path clientCaFile;

  @Option(
      names = "--home-workspaces-home-creator-groups",
      split = ",",
      defaultValue = "system:authenticated",
      description = "groups of users who get a home workspace (default: ${DEFAULT-VALUE})")
  private List<String> homeCreators;

  @Option(
      names = "--mode",
      defaultValue = "kcp",
      description = "kcp, or kubernetes for a server without workspaces")
  private Mode mode;

  @Option(
      names = "--shards",
      defaultValue = "1",
      description =
          "of kcp; several get the ports after --secure-port, which is then the front proxy's"
              + " (default: ${DEFAULT-VALUE})")
  private int shards;

  @Option(
      names = "--mapping-file",
      description =
          "with several shards: paths of the front proxy that lead to servers of your own, as"
              + " kcp-front-proxy reads them")
  private Path mappingFile;

  @Override
  public Integer call() throws InterruptedException {
    try {
      Sandbox sandbox = start();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(sandbox), "stop"));
      System.out.println(
          "kcp-sandbox is ready at " + sandbox.url() + ", kubeconfig " + sandbox.kubeconfigFile());
      new CountDownLatch(1).await();
      return CommandLine.ExitCode.OK;
    } catch (UncheckedIOException | IllegalArgumentException | IllegalStateException e) {
      String reason = e.getCause() instanceof FileSystemException file ? ": " + reason(file) : "";
      spec.commandLine().getErr().println("kcp-sandbox: " + e.getMessage() + reason);
      return CommandLine.ExitCode.SOFTWARE;
    }
  }

  private Sandbox start() {
    var server =
        new KubeOptions(
            root.toAbsolutePath(),
            Optional.ofNullable(data),
            address,
            Optional.ofNullable(hostname),
            port,
            Optional.ofNullable(tokenFile),
            Optional.ofNullable(clientCaFile));
    var kcp = new ServerOptions(server, homeCreators, shards, Optional.ofNullable(mappingFile));
    return switch (mode) {
      case KCP -> KcpSandbox.start(kcp);
      case KUBERNETES -> {
        if (shards > 1) {
          throw new IllegalArgumentException("only kcp has shards; plain Kubernetes is one server");
        }
        yield KubeSandbox.start(server);
      }
    };
  }

  /** The JDK says the commonest ones by exceptions alone. */
  private static String reason(FileSystemException failure) {
    return switch (failure) {
      case AccessDeniedException _ -> "permission denied";
      case NoSuchFileException _ -> "no such file or directory";
      case FileAlreadyExistsException _, NotDirectoryException _ -> "not a directory";
      default -> String.valueOf(failure.getReason());
    };
  }

  /**
   * At SIGTERM and SIGINT: clients see their watches end instead of a connection that breaks. Ends
   * with status 0 as kcp does; by itself a JVM would end with that of the signal. Does not wait for
   * a reader of its output that has stopped.
   */
  private static void stop(Sandbox sandbox) {
    sandbox.close();
    Thread output =
        Thread.ofPlatform()
            .daemon()
            .start(() -> {
              if (LoggerFactory.getILoggerFactory() instanceof LoggerContext log) {
                log.stop();
              }
              System.out.println("kcp-sandbox has stopped");
            });
    try {
      output.join(OUTPUT_MAX);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(CommandLine.ExitCode.OK);
  }
}
