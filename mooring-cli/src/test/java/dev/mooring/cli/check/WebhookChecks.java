package dev.mooring.cli.check;

import dev.mooring.cli.demo.ClusterClient.Ref;
import dev.mooring.harness.Program;
import dev.mooring.harness.Suite;
import java.util.List;
import java.util.Map;

/** The webhook while it is away, replaced, or started as the Go program was (W8, flags). */
final class WebhookChecks {
  private static final String SKIP = "dependencies.opendefense.cloud/skip-protection";

  private final ProtectionEnvironment environment;
  private final Suite suite;
  private boolean byFlags;

  WebhookChecks(ProtectionEnvironment environment) {
    this.environment = environment;
    this.suite = environment.suite();
  }

  List<Check> all() {
    return List.of(
        new Check(
            "W8",
            "while the webhook is away only what is annotated can be deleted",
            this::webhookAway),
        new Check(
            "flags-webhook", "the webhook starts by the Go webhook's flags", this::webhookFlags),
        new Check(
            "rolling",
            "replicas are replaced under load without a wrong answer",
            this::rollingRestart));
  }

  private void webhookAway() {
    Ref vpc = environment.protectedVpc("w8");
    Ref skipped = environment.protectedVpc("w8-skipped");
    suite.service(Program.DEPENDENCY_WEBHOOK).kill();
    try {
      environment.requireRefused(vpc, "failed calling webhook");
      environment
          .consumer()
          .client()
          .patch(
              skipped.type(),
              skipped.namespace(),
              skipped.name(),
              Map.of("metadata", Map.of("annotations", Map.of(SKIP, "true"))));
      environment.requireDeletable(skipped);
    } finally {
      startByFlags();
    }
    suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
    environment.requireRefused(vpc, "still referenced by VirtualMachine/w8-user");
  }

  private void webhookFlags() {
    if (!byFlags) {
      suite.service(Program.DEPENDENCY_WEBHOOK).close();
      startByFlags();
    }
    environment.awaitProbes(Program.DEPENDENCY_WEBHOOK, suite.ports().webhook());
    environment.protectedVpc("flags-webhook");
  }

  /** As the Go webhook is started; it must have ended. */
  private void startByFlags() {
    suite.relaunchOnlyWith(
        Program.DEPENDENCY_WEBHOOK,
        List.of(
            "--kubeconfig="
                + suite.argument(
                    Program.DEPENDENCY_WEBHOOK, "--mooring.dependency-webhook.kubeconfig"),
            "--api-export-name=dependencies.opendefense.cloud",
            "--webhook-port=" + suite.ports().admission(),
            "--tls-cert-dir="
                + suite.argument(
                    Program.DEPENDENCY_WEBHOOK, "--mooring.dependency-webhook.tls-cert-dir"),
            "--health-probe-bind-address=127.0.0.1:" + suite.ports().webhook(),
            "--zap-log-level=info"));
    byFlags = true;
  }

  /** Two replicas behind one address; each is drained in turn, one of them for a new one. */
  private void rollingRestart() {
    Ref vpc = environment.protectedVpc("rolling");
    TcpLoadBalancer front = environment.front();
    try (Replica second = Replica.launch(environment, "webhook-2");
        var deletions = SteadyDeletions.start(environment, vpc)) {
      front.add(second.port());
      deletions.await(20);
      front.remove(suite.ports().admission());
      suite.service(Program.DEPENDENCY_WEBHOOK).close();
      deletions.await(20);
      suite.relaunch(Program.DEPENDENCY_WEBHOOK);
      byFlags = false;
      suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
      front.add(suite.ports().admission());
      second.end();
      deletions.await(20);
      deletions.requireNoneWrong();
    } finally {
      if (!suite.service(Program.DEPENDENCY_WEBHOOK).isAlive()) {
        suite.relaunch(Program.DEPENDENCY_WEBHOOK);
        suite.awaitReady(Program.DEPENDENCY_WEBHOOK);
        front.add(suite.ports().admission());
      }
    }
  }
}
