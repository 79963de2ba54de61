package dev.mooring.cli.demo;

import dev.mooring.harness.HarnessFailure;
import dev.mooring.harness.KcpChoice;
import dev.mooring.harness.PortPlan;
import dev.mooring.harness.ProjectLayout;
import dev.mooring.runtime.client.KubeFailure;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Objects;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mooring demo}: exit status 0 only if every check of the demo passed. */
@Command(
    name = "demo",
    sortOptions = false,
    description = {
      "Shows the whole of Mooring at work on this machine: kcp, a service cluster, providers and"
          + " consumers.",
      "With KCP_KUBECONFIG set, the same story plays on that kcp, in workspaces of its own that are"
          + " removed afterwards.",
      "KCP_CLIENT_CA and KCP_CLIENT_CA_KEY name certificate and key of an authority whose client"
          + " certificates that kcp accepts: the services then log in with certificates of their"
          + " own, as users with the rights of the shipped manifests."
    },
    footer = {
      "%nExamples:",
      "  mooring demo",
      "  mooring demo --check --free-ports",
      "  KCP_KUBECONFIG=~/kcp/.kcp/admin.kubeconfig mooring demo --check"
    })
public final class DemoCommand implements Callable<Integer> {
  @Option(names = "--check", description = "End after the story instead of staying up.")
  private boolean check;

  @Option(
      names = "--directory",
      paramLabel = "DIR",
      description = "For kubeconfigs, data and logs (default: .demo in the clone).")
  private Path directory;

  @Option(names = "--free-ports", description = "Choose ports that are free.")
  private boolean freePorts;

  @Option(names = "--kcp-port", paramLabel = "PORT", description = "kcp (default: 6443).")
  private Integer kcpPort;

  @Option(
      names = "--service-cluster-port",
      paramLabel = "PORT",
      description = "The service cluster (default: 6444).")
  private Integer serviceClusterPort;

  @Option(
      names = "--agent-port",
      paramLabel = "PORT",
      description = "Management of the sync agent (default: 8085).")
  private Integer agentPort;

  @Option(
      names = "--controller-port",
      paramLabel = "PORT",
      description = "Management of the dependency controller (default: 8086).")
  private Integer controllerPort;

  @Option(
      names = "--webhook-port",
      paramLabel = "PORT",
      description = "Management of the dependency webhook (default: 8087).")
  private Integer webhookPort;

  @Option(
      names = "--admission-port",
      paramLabel = "PORT",
      description = "The dependency webhook itself (default: 9443).")
  private Integer admissionPort;

  @Override
  public Integer call() {
    // Check marks need UTF-8 in every locale.
    var out =
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8);
    try {
      ProjectLayout layout = ProjectLayout.find();
      Path home = directory == null ? layout.root().resolve(".demo") : directory;
      var ending = check ? Demo.Ending.AFTER_STORY : Demo.Ending.ON_SIGNAL;
      var narrator = new Narrator(out, look());
      new Demo(layout, home.toAbsolutePath().normalize(), ports(), KcpChoice.fromEnvironment())
          .run(narrator, ending);
      return 0;
    } catch (HarnessFailure | KubeFailure e) {
      out.flush();
      System.err.println();
      System.err.println("The demo has failed: " + e.getMessage());
      return 1;
    }
  }

  private PortPlan ports() {
    PortPlan base = freePorts ? PortPlan.free() : PortPlan.STANDARD;
    return new PortPlan(
        Objects.requireNonNullElse(kcpPort, base.kcp()),
        Objects.requireNonNullElse(serviceClusterPort, base.serviceCluster()),
        Objects.requireNonNullElse(agentPort, base.agent()),
        Objects.requireNonNullElse(controllerPort, base.controller()),
        Objects.requireNonNullElse(webhookPort, base.webhook()),
        Objects.requireNonNullElse(admissionPort, base.admission()));
  }

  private static Narrator.Look look() {
    boolean terminal = System.console() != null && System.console().isTerminal();
    return terminal && System.getenv("NO_COLOR") == null
        ? Narrator.Look.COLOURED
        : Narrator.Look.PLAIN;
  }
}
